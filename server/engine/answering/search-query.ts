import { searchedPart } from '../../../contract/chat/search-query'
import type { Turn } from './prompt'
import { replyToSmallTalk } from './small-talk'

/** Messages that decide what is searched, the question included, as the contract defines for the analysis of intent. */
const maxIntentMessages = 5

/**
 * Returns the search query for a question. A question in a conversation ("And in winter?") rarely names its subject, so
 * the question before joins it. The last question comes first, because the embedding model weighs the start of a text
 * most: so it decides where the two share no word.
 */
export function searchQueryFor(question: string, history: Turn[]): string {
  const recent = history.slice(1 - maxIntentMessages)
  const before = recent.findLast(({ role, content }) => role === 'user' && replyToSmallTalk(content) === null)
  return searchedPart(before ? `${question}\n${before.content}` : question)
}
