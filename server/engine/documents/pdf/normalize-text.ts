import { removeInvisible } from '../../html/dom/text'

/** Ligatures and Arabic presentation forms, which are not found as words. */
const presentationForms = /[\ufb00-\ufdff\ufe70-\ufefe]+/g
/** Adobe's private use characters for small capitals and old-style figures, 0xf700 above the plain ones. */
const adobeVariants = /[\uf721-\uf7fe]/g
/** Private use, replacement and control characters. Fonts without a Unicode mapping often have the space among them. */
const unreadable = /[\p{Cc}\p{Co}\ufffd]+/gu
/** A space before a combining mark. Some vowels of Indic scripts precede their consonant, and so may start a word. */
const spaceBeforeMark =
  / (?=\p{M})(?![\u093f\u09bf\u09c7\u09c8\u0a3f\u0abf\u0b47\u0bc6-\u0bc8\u0d46-\u0d48\u0dd9-\u0ddb\u1031\u17c1-\u17c3])/gu
/** Dot leaders between an entry and its page. */
const leaders = /(?:[.·…_‥][ ]?){4,}/g
/** Particles that are joined to a word by a hyphen, and that hyphenation does not make: 'Trváte-li', 'dit-il'. */
const particles = 'li|liž|il|ils|elle|elles|vous|nous|je|moi|toi|là|même|mêmes|либо|нибудь|таки'
const startsWithParticle = new RegExp(`^(?:${particles})(?![\\p{L}\\p{M}\\p{N}'’-])`, 'u')
/** Soft hyphens within a word; others are visible hyphens. */
const invisibleHyphen = new RegExp(
  `(?<=\\p{Ll})\\u00ad(?=\\p{Ll})(?!(?:${particles})(?![\\p{L}\\p{M}\\p{N}'’-]))`,
  'gu',
)

/** Normalizes the text of a line: plain letters, no invisible or unreadable characters, single spaces. */
export function cleanLine(text: string): string {
  return removeInvisible(
    text
      .replace(invisibleHyphen, '')
      .replaceAll('\u00ad', '-')
      .replaceAll('\0', '')
      .replace(presentationForms, (run) => run.normalize('NFKC'))
      .replace(adobeVariants, (character) => String.fromCharCode(character.charCodeAt(0) - 0xf700))
      .replace(unreadable, ' ')
      .replace(leaders, ' '),
  )
    .replace(/\s+/g, ' ')
    .replace(spaceBeforeMark, '')
    .trim()
}

const hyphenated = /(?:^|[^\p{L}\p{N}])([\p{L}\p{M}\p{N}'’-]*\p{L}\p{M}*)[-\u2010]$/u

/**
 * Appends a line to a text. A hyphen at the end is removed if the word continues in lower case, unless it belongs to the
 * word: after a single letter, before a particle, or with another hyphen in the word.
 * Scripts without spaces are joined without one.
 */
export function joinLines(text: string, line: string): string {
  if (text === '') return line
  const word = hyphenated.exec(text.slice(-60))?.[1]
  if (word && /^\p{Ll}/u.test(line)) {
    const isOfWord = word.length === 1 || word.includes('-') || startsWithParticle.test(line)
    return `${isOfWord ? text : text.slice(0, -1)}${line}`
  }
  if (/[-\u2010\u2013/]$/.test(text) && /[\p{L}\p{N}][-\u2010\u2013/]$/u.test(text) && /^[\p{L}\p{N}]/u.test(line))
    return text + line
  return isUnspaced(text.at(-1)) && isUnspaced(line.at(0)) ? text + line : `${text} ${line}`
}

function isUnspaced(character: string | undefined): boolean {
  return (
    character !== undefined &&
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff0f\uff1a-\uff20]/u.test(character)
  )
}
