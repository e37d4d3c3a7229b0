import { foldText } from '../language/normalize-text'
import { phraseLanguages, phrases } from './phrases'

interface KnownPhrase {
  kind: 'greeting' | 'thanks' | 'filler'
  /** '' for a filler. */
  reply: string
  words: string
}

/** A question with more words is never small talk. */
const maxWords = 8
const known = listPhrases()

/**
 * Returns the reply to a greeting or to thanks, in its language; null for any other text, such as a greeting that a
 * question follows.
 */
export function replyToSmallTalk(text: string): string | null {
  const words = wordsOf(text)
  if (words.length === 0 || words.length > maxWords) return null
  const found: KnownPhrase[] = []
  for (let rest = `${words.join(' ')} `; rest !== ''; ) {
    const next = known.find((phrase) => rest.startsWith(`${phrase.words} `))
    if (!next) return null
    found.push(next)
    rest = rest.slice(next.words.length + 1)
  }
  // 'Hi, thanks' is thanks.
  const decisive = found.find(({ kind }) => kind === 'thanks') ?? found.find(({ kind }) => kind === 'greeting')
  return decisive?.reply ?? null
}

/** Longest first, so that 'thank you very much' is not read as 'thank you'. */
function listPhrases(): KnownPhrase[] {
  const all = phraseLanguages.flatMap((language) => {
    const { greetings, thanks, fillers, greetingReply, thanksReply } = phrases[language]
    const phrase = (kind: KnownPhrase['kind'], reply: string) => (text: string) => {
      return { kind, reply, words: wordsOf(text).join(' ') }
    }
    return [
      ...greetings.map(phrase('greeting', greetingReply)),
      ...thanks.map(phrase('thanks', thanksReply)),
      ...fillers.map(phrase('filler', '')),
    ]
  })
  return all.sort((first, second) => second.words.length - first.words.length)
}

function wordsOf(text: string): string[] {
  return foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []
}
