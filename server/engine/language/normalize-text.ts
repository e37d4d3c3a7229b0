/** Writings without spaces, and Korean, whose words carry what other languages put beside them: found by pairs of signs. */
const paired =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u
const word = /[\p{L}\p{N}\p{M}]+/gu
const asciiWord = /[A-Za-z0-9]+/g
const beyondAscii = /[\u0080-\uFFFF]/
const shaped = /[\uFB00-\uFDFF\uFE70-\uFEFE\uFF00-\uFFEF]+/g
// Soft hyphens and joiners stand inside of words.
const unseen = /\u00AD|\u200D|\u2060|\uFEFF/g
/** Marks above and below letters; those of other writings, as the vowels of Hindi, are letters of their own kind. */
const marks =
  /[\u0300-\u036F\u0483-\u0487\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u0640\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7\u06E8\u06EA-\u06ED]/g
/** What Unicode does not take for a letter with a mark, though people leave the mark out. */
const letters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ſ: 's',
  ς: 'σ',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ة: 'ه',
}
const lettersToFold = new RegExp(`[${Object.keys(letters).join('')}]`, 'g')
const prefixLength = 5
const arabic = /^\p{Script=Arabic}/u
const arabicArticle = /^(?:و?(?:ال|بال|كال|فال)|لل)(?=.{3})/u

/** The same text without shapes that only look different (full width, ligatures), and without signs that nobody sees. */
export function normalizeUnicode(text: string): string {
  if (!beyondAscii.test(text)) return text
  return text
    .replace(unseen, '')
    .replace(shaped, (some) => some.normalize('NFKC'))
    .normalize('NFC')
}

/** What texts and queries are compared by: lower case, without the marks of Latin, Greek, Cyrillic, Hebrew and Arabic. */
export function foldText(text: string): string {
  if (!beyondAscii.test(text)) return text.toLowerCase()
  return normalizeUnicode(text)
    .normalize('NFD')
    .replace(marks, '')
    .toLowerCase()
    .replace(lettersToFold, (letter) => letters[letter] ?? letter)
    .normalize('NFC')
}

/** Whether some of it is found by pairs of signs. */
export function isUnsegmented(text: string): boolean {
  return paired.test(text)
}

/** Runs of letters and digits, each of one kind: found by its pairs or as a word. */
export function splitWords(text: string): string[] {
  if (!beyondAscii.test(text)) return text.match(asciiWord) ?? []
  const words = text.match(word) ?? []
  return isUnsegmented(text) ? words.flatMap((one) => (isUnsegmented(one) ? splitRuns(one) : one)) : words
}

/** Runs of pairs reach over their borders by one sign: in "2015年" stand "2015" and the pair "5年". */
function splitRuns(mixed: string): string[] {
  const runs: string[] = []
  let last = ''
  for (const sign of mixed) {
    const kind = isUnsegmented(sign)
    if (last !== '' && kind === isUnsegmented(last)) runs[runs.length - 1] += sign
    else if (kind) runs.push(last + sign)
    else {
      if (last !== '') runs[runs.length - 1] += sign
      runs.push(sign)
    }
    last = sign
  }
  return runs
}

/** Pairs of neighbouring signs; of a single one, itself. */
export function bigrams(run: string): string[] {
  const signs = [...run]
  return signs.length === 1 ? signs : signs.slice(1).map((sign, n) => `${signs[n]}${sign}`)
}

/**
 * What the forms of an inflected word share, of a folded word: its first five letters, without an Arabic article. Null
 * for words so short that they share less.
 */
export function wordPrefix(folded: string): string | null {
  if (arabic.test(folded)) return firstOf(stripArabicArticle(folded))
  return folded.length < prefixLength ? null : firstOf(folded)
}

/** A folded word without an Arabic article. */
export function stripArabicArticle(folded: string): string {
  return arabic.test(folded) ? folded.replace(arabicArticle, '') : folded
}

function firstOf(folded: string): string {
  return folded.length > prefixLength ? [...folded].slice(0, prefixLength).join('') : folded
}
