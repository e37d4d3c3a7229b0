import { removeInvisible } from '../../html/dom/text'

/** Ligatures and the shapes that Arabic letters take beside others: pictures of letters, for which words are not found. */
const shapes = /[\ufb00-\ufdff\ufe70-\ufefe]+/g
/** Adobe's places for small capitals and old figures: the plain ones are 0xf700 below. */
const small = /[\uf721-\uf7fe]/g
/** Characters of private use, the sign for an unknown one, and control characters: fonts without a table of their letters
    often have the space among those. */
const unreadable = /[\p{Cc}\p{Co}\ufffd]+/gu
/**
 * An accent stands with the letter in front of it. Some vowels of Indic scripts are written in front of their consonant,
 * and so they may begin a word.
 */
const strayAccent =
  / (?=\p{M})(?![\u093f\u09bf\u09c7\u09c8\u0a3f\u0abf\u0b47\u0bc6-\u0bc8\u0d46-\u0d48\u0dd9-\u0ddb\u1031\u17c1-\u17c3])/gu
/** The dots that lead the eye from an entry to its page. */
const leaders = /(?:[.·…_‥][ ]?){4,}/g
/** Where a word may be parted but is not; others are hyphens that show. */
const unusedHyphen = /(?<=\p{Ll})\u00ad(?=\p{Ll})/gu

/** The text of a line as words: shapes as letters, without what has no width or no meaning, spaces single. */
export function cleanLine(text: string): string {
  return removeInvisible(
    text
      .replace(unusedHyphen, '')
      .replaceAll('\u00ad', '-')
      .replaceAll('\0', '')
      .replace(shapes, (run) => run.normalize('NFKC'))
      .replace(small, (character) => String.fromCharCode(character.charCodeAt(0) - 0xf700))
      .replace(unreadable, ' ')
      .replace(leaders, ' '),
  )
    .replace(/\s+/g, ' ')
    .replace(strayAccent, '')
    .trim()
}

const hyphenated = /(?:^|[^\p{L}\p{N}])([\p{L}\p{M}\p{N}'’-]*\p{L}\p{M}*)[-\u2010]$/u

/**
 * Puts a line behind a text. A hyphen at the end goes where the word goes on in small letters and has no other hyphen;
 * scripts without spaces are joined without one.
 */
export function joinLines(text: string, line: string): string {
  if (text === '') return line
  const word = hyphenated.exec(text.slice(-60))?.[1]
  if (word && /^\p{Ll}/u.test(line)) return `${/-/.test(word) ? text : text.slice(0, -1)}${line}`
  if (/[-\u2010\u2013/]$/.test(text) && /\p{L}[-\u2010\u2013/]$/u.test(text) && /^[\p{L}\p{N}]/u.test(line))
    return text + line
  return isUnspaced(text.at(-1)) && isUnspaced(line.at(0)) ? text + line : `${text} ${line}`
}

function isUnspaced(character: string | undefined): boolean {
  return (
    character !== undefined &&
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff0f\uff1a-\uff20]/u.test(character)
  )
}
