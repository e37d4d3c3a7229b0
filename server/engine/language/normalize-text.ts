/** Scripts that are indexed as bigrams: those without spaces, and Korean, which attaches particles to words. */
const unsegmented =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u
const wordPattern = /[\p{L}\p{N}\p{M}]+/gu
const asciiWord = /[A-Za-z0-9]+/g
const beyondAscii = /[\u0080-\uFFFF]/
/**
 * Characters that normalization, folding or the search for scripts may concern: not the punctuation and signs of English
 * texts, such as dashes, quotation marks, bullets and box-drawing characters, which none of them changes.
 */
const beyondPlain = /[\u200D\u00AD\u00C0-\u2001\u2060-\u24FF\u27C0-\uFFFF]/
const presentationForms = /[\uFB00-\uFDFF\uFE70-\uFEFE\uFF00-\uFFEF]+/g
// Soft hyphens and joiners occur within words.
const invisible = /\u00AD|\u200D|\u2060|\uFEFF/g
/** Diacritics; the marks of other scripts, such as the vowels of Hindi, are letters. */
const marks =
  /[\u0300-\u036F\u0483-\u0487\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u0640\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7\u06E8\u06EA-\u06ED]/g
/** Letters that Unicode does not decompose, although people type them without the mark. */
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

/** Replaces compatibility forms (full width, ligatures), removes invisible characters, and composes (NFC). */
export function normalizeUnicode(text: string): string {
  if (!beyondPlain.test(text)) return text
  return text
    .replace(invisible, '')
    .replace(presentationForms, (part) => part.normalize('NFKC'))
    .normalize('NFC')
}

/** Folds text for comparison: lower case, without the diacritics of Latin, Greek, Cyrillic, Hebrew and Arabic. */
export function foldText(text: string): string {
  if (!beyondPlain.test(text)) return text.toLowerCase()
  return normalizeUnicode(text)
    .normalize('NFD')
    .replace(marks, '')
    .toLowerCase()
    .replace(lettersToFold, (letter) => letters[letter] ?? letter)
    .normalize('NFC')
}

/** Returns whether any part of the text is indexed as bigrams. */
export function isUnsegmented(text: string): boolean {
  return beyondPlain.test(text) && unsegmented.test(text)
}

/** Splits text into runs of letters and digits, each either a word or indexed as bigrams. */
export function splitWords(text: string): string[] {
  if (!beyondAscii.test(text)) return text.match(asciiWord) ?? []
  const words = text.match(wordPattern) ?? []
  return isUnsegmented(text) ? words.flatMap((word) => (isUnsegmented(word) ? splitRuns(word) : word)) : words
}

/** Unsegmented runs overlap their neighbours by one character: "2015年" has the word "2015" and the bigram "5年". */
function splitRuns(mixed: string): string[] {
  const runs: string[] = []
  let last = ''
  for (const character of mixed) {
    const kind = isUnsegmented(character)
    if (last !== '' && kind === isUnsegmented(last)) runs[runs.length - 1] += character
    else if (kind) runs.push(last + character)
    else {
      if (last !== '') runs[runs.length - 1] += character
      runs.push(character)
    }
    last = character
  }
  return runs
}

/** Returns the pairs of adjacent characters; a single character as it is. */
export function bigrams(run: string): string[] {
  const characters = [...run]
  return characters.length === 1
    ? characters
    : characters.slice(1).map((character, n) => `${characters[n]}${character}`)
}

/**
 * Returns the part of a folded word that its inflected forms share: its first five letters, without an Arabic article.
 * Null for shorter words.
 */
export function wordPrefix(folded: string): string | null {
  if (arabic.test(folded)) return takePrefix(stripArabicArticle(folded))
  return folded.length < prefixLength ? null : takePrefix(folded)
}

/** Removes the Arabic article from a folded word. */
export function stripArabicArticle(folded: string): string {
  return arabic.test(folded) ? folded.replace(arabicArticle, '') : folded
}

function takePrefix(folded: string): string {
  return folded.length > prefixLength ? [...folded].slice(0, prefixLength).join('') : folded
}
