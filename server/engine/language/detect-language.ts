import type { Block } from '../ports'
import { functionWords } from './function-words'
import { stopWords } from './stop-words'

/** So many characters of a text tell its language. */
const sampleLength = 10_000
/** Of all words of a text, the small words of its language: a tenth in Finnish and Turkish, nearly half in English. */
const leastShare = 0.08
/** Two different ones may stand in a list of names. */
const leastDifferent = 3
/** So many times the second best. */
const leastLead = 1.2

/** Writings that one language has for itself, or of whose languages one is nearly always meant. */
const ownScripts: Record<string, string> = {
  Greek: 'el',
  Hebrew: 'he',
  Thai: 'th',
  Hangul: 'ko',
  Armenian: 'hy',
  Georgian: 'ka',
  Bengali: 'bn',
  Gurmukhi: 'pa',
  Gujarati: 'gu',
  Tamil: 'ta',
  Telugu: 'te',
  Kannada: 'kn',
  Malayalam: 'ml',
  Sinhala: 'si',
  Lao: 'lo',
  Khmer: 'km',
  Myanmar: 'my',
  Ethiopic: 'am',
}
const chinese = ['Han', 'Hiragana', 'Katakana']
/** One sign says as much as several letters. */
const weights: Record<string, number> = { Han: 3, Hangul: 2 }
/** Of the signs of a Japanese text about half are kana; a Chinese one has some in names. */
const leastKana = 0.1

const word = /[\p{L}\p{M}]+/gu
const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu
const startOf = new Map(
  ['Latin', 'Cyrillic', 'Arabic', 'Devanagari', ...chinese, ...Object.keys(ownScripts)].map((script) => [
    script,
    new RegExp(`^\\p{Script=${script}}`, 'u'),
  ]),
)
const languagesOf = indexWords()

/**
 * The language that a text is most likely in (ISO 639-1), for texts that do not say it; '' where that is not certain. By
 * its writing, and where languages share one, by their small words: those of stop lists and of `language-words.ts`. The
 * first ten thousand characters are looked at.
 */
export function detectLanguage(texts: Iterable<string>): string {
  const words = firstWords(texts)
  const script = scriptOf(words)
  if (script === null) return ''
  const own = words.filter((one) => scriptAt(one) === script)
  if (script === 'Han') return isJapanese(own) ? 'ja' : 'zh'
  return ownScripts[script] ?? languageOf(own)
}

/** What of a document is in a language of people. */
export function proseIn(blocks: readonly Block[]): string[] {
  return blocks.flatMap(({ kind, text }) => (kind === 'code' ? [] : [text]))
}

function firstWords(texts: Iterable<string>): string[] {
  const words: string[] = []
  let length = 0
  for (const text of texts) {
    const part = text.slice(0, sampleLength - length)
    words.push(...(part.normalize('NFC').toLowerCase().match(word) ?? []))
    length += part.length
    if (length >= sampleLength) break
  }
  return words
}

/** The writing of more than half of the text. */
function scriptOf(words: string[]): string | null {
  const amounts = new Map<string, number>()
  let all = 0
  for (const one of words) {
    const script = scriptAt(one)
    const amount = one.length * (weights[script] ?? 1)
    amounts.set(script, (amounts.get(script) ?? 0) + amount)
    all += amount
  }
  const [script, amount = 0] = [...amounts].sort(([, one], [, other]) => other - one)[0] ?? []
  return script !== undefined && script !== '' && amount > all / 2 ? script : null
}

/** Of the first sign of a word; the writings of Chinese and Japanese count as one, '' is none of those known here. */
function scriptAt(one: string): string {
  for (const [script, start] of startOf) if (start.test(one)) return chinese.includes(script) ? 'Han' : script
  return ''
}

function isJapanese(words: string[]): boolean {
  const text = words.join('')
  return (text.match(kana)?.length ?? 0) > text.length * leastKana
}

/** A word that several languages have says less for each of them. */
function languageOf(words: string[]): string {
  const scores = new Map<string, { score: number; hits: number; different: Set<string> }>()
  for (const one of words) {
    const languages = languagesOf.get(one) ?? []
    for (const language of languages) {
      const known = scores.get(language) ?? { score: 0, hits: 0, different: new Set() }
      known.score += 1 / languages.length
      known.hits++
      scores.set(language, known)
      known.different.add(one)
    }
  }
  const [best, second] = [...scores].sort(([, one], [, other]) => other.score - one.score)
  if (!best) return ''
  const [language, { score, hits, different }] = best
  const isSure = hits >= words.length * leastShare && different.size >= leastDifferent
  return isSure && score >= leastLead * (second?.[1].score ?? 0) ? language : ''
}

function indexWords(): Map<string, string[]> {
  const index = new Map<string, string[]>()
  const lists = [
    ...stopWords,
    ...Object.entries(functionWords).map(([language, words]) => [language, words.trim().split(/\s+/)] as const),
  ]
  for (const [language, words] of lists) {
    for (const one of new Set(words)) {
      const known = index.get(one)
      if (known) known.push(language)
      else index.set(one, [language])
    }
  }
  return index
}
