import type { Block } from '../ports/extractor'
import { functionWords } from './function-words'
import { stopWords } from './stop-words'

/** Characters of a text that are examined. */
const sampleLength = 10_000
/** Share of function words in a text: a tenth in Finnish and Turkish, nearly half in English. */
const minFunctionWordShare = 0.08
/** A list of names may contain two. */
const minDistinctWords = 3
/** Score of the best language in relation to the second best. */
const minLeadRatio = 1.2

/** Scripts that only one language uses, or of whose languages one is by far the most frequent. */
const languageByScript: Record<string, string> = {
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
const eastAsianScripts = ['Han', 'Hiragana', 'Katakana']
/** Letters to which a character of the script is equivalent. */
const letterWeights: Record<string, number> = { Han: 3, Hangul: 2 }
/** About half of the characters of Japanese text are kana; Chinese text has a few, in names. */
const minKanaShare = 0.1

const wordPattern = /[\p{L}\p{M}]+/gu
const kanaPattern = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu
const scriptPatterns = new Map(
  ['Latin', 'Cyrillic', 'Arabic', 'Devanagari', ...eastAsianScripts, ...Object.keys(languageByScript)].map((script) => [
    script,
    new RegExp(`^\\p{Script=${script}}`, 'u'),
  ]),
)
const languagesByWord = indexWords()

/**
 * Detects the language of a text that does not declare it (ISO 639-1); '' if it is uncertain. Decides by the script, and
 * among languages that share one, by their function words. Examines the first 10,000 characters.
 */
export function detectLanguage(texts: Iterable<string>): string {
  const words = sampleWords(texts)
  const script = mainScript(words)
  if (script === null) return ''
  const own = words.filter((word) => scriptOfWord(word) === script)
  if (script === 'Han') return isJapanese(own) ? 'ja' : 'zh'
  return languageByScript[script] ?? languageByFunctionWords(own)
}

/** ISO 15924 codes of the scripts that several languages share. */
const scriptCodes: Record<string, string> = { Latin: 'Latn', Cyrillic: 'Cyrl', Arabic: 'Arab', Devanagari: 'Deva' }

/**
 * Returns the language of a text that claims one (BCP 47, lower case), which is often the default of a program:
 * `detected` if it is another one than `claimed`, and no claim that is not written in the script of the text.
 */
export function confirmLanguage(claimed: string, detected: string, texts: Iterable<string>): string {
  if (claimed === '' || claimed.split('-', 1)[0] === detected) return claimed || detected
  if (detected !== '') return detected
  const script = mainScript(sampleWords(texts))
  return script === null || scriptCodes[script] === scriptOfLanguage(claimed) ? claimed : ''
}

function scriptOfLanguage(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag).maximize().script
  } catch {
    return undefined
  }
}

/** Returns the texts of the blocks that are not code. */
export function proseTexts(blocks: readonly Block[]): string[] {
  return blocks.flatMap(({ kind, text }) => (kind === 'code' ? [] : [text]))
}

function sampleWords(texts: Iterable<string>): string[] {
  const words: string[] = []
  let length = 0
  for (const text of texts) {
    const part = text.slice(0, sampleLength - length)
    words.push(...(part.normalize('NFC').toLowerCase().match(wordPattern) ?? []))
    length += part.length
    if (length >= sampleLength) break
  }
  return words
}

/** Returns the script of more than half of the text. */
function mainScript(words: string[]): string | null {
  const amounts = new Map<string, number>()
  let all = 0
  for (const word of words) {
    const script = scriptOfWord(word)
    const amount = word.length * (letterWeights[script] ?? 1)
    amounts.set(script, (amounts.get(script) ?? 0) + amount)
    all += amount
  }
  const [script, amount = 0] = [...amounts].sort(([, number], [, otherNumber]) => otherNumber - number)[0] ?? []
  return script !== undefined && script !== '' && amount > all / 2 ? script : null
}

/** Returns the script of a word's first character; 'Han' for all scripts of Chinese and Japanese, '' for an unknown one. */
function scriptOfWord(text: string): string {
  for (const [script, start] of scriptPatterns)
    if (start.test(text)) return eastAsianScripts.includes(script) ? 'Han' : script
  return ''
}

function isJapanese(words: string[]): boolean {
  const text = words.join('')
  return (text.match(kanaPattern)?.length ?? 0) > text.length * minKanaShare
}

/** Scores each language by its function words; a word counts less the more languages share it. */
function languageByFunctionWords(words: string[]): string {
  const scores = new Map<string, { score: number; hits: number; distinct: Set<string> }>()
  for (const word of words) {
    const languages = languagesByWord.get(word) ?? []
    for (const language of languages) {
      const known = scores.get(language) ?? { score: 0, hits: 0, distinct: new Set() }
      known.score += 1 / languages.length
      known.hits++
      scores.set(language, known)
      known.distinct.add(word)
    }
  }
  const [best, second] = [...scores].sort(([, first], [, another]) => another.score - first.score)
  if (!best) return ''
  const [language, { score, hits, distinct }] = best
  const isCertain = hits >= words.length * minFunctionWordShare && distinct.size >= minDistinctWords
  return isCertain && score >= minLeadRatio * (second?.[1].score ?? 0) ? language : ''
}

function indexWords(): Map<string, string[]> {
  const index = new Map<string, string[]>()
  const lists = [
    ...stopWords,
    ...Object.entries(functionWords).map(([language, words]) => [language, words.trim().split(/\s+/)] as const),
  ]
  for (const [language, words] of lists) {
    for (const text of new Set(words)) {
      const known = index.get(text)
      if (known) known.push(language)
      else index.set(text, [language])
    }
  }
  return index
}
