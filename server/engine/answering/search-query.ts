import { searchedPart } from '../../../contract/chat/search-query'
import { languagesOfFunctionWord } from '../language/function-word-languages'
import { isUnsegmented, splitWords } from '../language/normalize-text'
import type { Turn } from './prompt'
import { replyToSmallTalk } from './small-talk'

/** Messages that decide what is searched, the question included, as the contract defines for the analysis of intent. */
const maxIntentMessages = 5

/** Earlier questions join until the query has as many words that are no function words. */
const minContentWords = 7
const charactersPerUnsegmentedWord = 2

/**
 * Returns the search query for a question. A question in a conversation ("And in winter?") rarely names its subject, so
 * the question before joins it, and earlier ones where both say little. The last question comes first, because the
 * embedding model weighs the start of a text most: so it decides where they share no word.
 */
export function searchQueryFor(question: string, history: Turn[]): string {
  const recent = history.slice(1 - maxIntentMessages)
  const earlier = recent.filter(({ role, content }) => role === 'user' && replyToSmallTalk(content) === null)
  const [before, ...others] = earlier.reverse().map(({ content }) => content)
  if (before === undefined) return searchedPart(question)
  const joined = [question, before]
  for (const content of others) {
    if (countContentWords(joined.join('\n')) >= minContentWords) break
    joined.push(content)
  }
  return searchedPart(joined.join('\n'))
}

function countContentWords(text: string): number {
  const words = new Set(splitWords(text.toLowerCase()).filter((word) => languagesOfFunctionWord(word).length === 0))
  return [...words].reduce((sum, word) => sum + sizeOf(word), 0)
}

function sizeOf(word: string): number {
  return isUnsegmented(word) ? Math.ceil(word.length / charactersPerUnsegmentedWord) : 1
}
