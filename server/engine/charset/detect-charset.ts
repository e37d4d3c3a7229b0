import { type Language, languages } from './charset-languages'
import { decodeAs } from './decoders'

/** Size of the sample: bytes in all, and non-ASCII bytes. */
const maxSampleBytes = 64 * 1024
const maxHighBytes = 2_000

/**
 * Log likelihoods of characters in a text of a language. They are estimates: only their order matters, and that the gap
 * between the correct decoding and the others grows with every character.
 */
const likelihoods = {
  /** Quotation marks, dashes and the like next to letters or spaces. */
  typographic: -5,
  /** A letter that the language does not use, or a symbol within a word. */
  foreign: -10,
  /** Control characters and unassigned bytes. */
  impossible: -16,
  upperAtStart: -3,
  upperAfterLower: -8,
  /** Two non-ASCII letters in a row, in Latin script. */
  doubled: -2,
  /** A letter of another script within a word. */
  mixed: -4,
  /** A character of a wide script within the rows in use, and outside them. */
  inRows: -8,
  outOfRows: -12,
}

/** Prior of each encoding: common encodings win unless another one explains the page better. */
const priors: Record<string, number> = {
  'windows-1252': 0,
  macintosh: -12,
  'x-mac-cyrillic': -6,
  'windows-1257': -6,
  'iso-8859-13': -7,
  'iso-8859-4': -8,
  'windows-1258': -8,
}
const defaultPrior = -3

/**
 * Detects the encoding of bytes that are not UTF-8, among those that TextDecoder knows: scores the text of each
 * language in each of its encodings. `among` restricts the encodings.
 */
export function detectEncoding(body: Uint8Array, among?: readonly string[]): string {
  const sample = sampleOf(body)
  const texts = new Map<string, string[]>()
  let best = { encoding: 'windows-1252', score: Number.NEGATIVE_INFINITY }
  for (const { costs, language } of models()) {
    for (const encoding of language.encodings) {
      if (among && !among.includes(encoding)) continue
      const text = texts.get(encoding) ?? [...decodeAs(encoding, sample)]
      texts.set(encoding, text)
      const score = (priors[encoding] ?? defaultPrior) + scoreOf(text, language, costs)
      if (score > best.score) best = { encoding, score }
    }
  }
  return best.encoding
}

/** Starts at the first non-ASCII byte. */
function sampleOf(body: Uint8Array): Uint8Array {
  const first = Math.max(
    0,
    body.findIndex((byte) => byte > 0x7f),
  )
  // The byte before it shows whether a character is within a word.
  const start = Math.max(0, first - 1)
  let end = start
  for (let high = 0; end < body.length && end - start < maxSampleBytes && high < maxHighBytes; end++) {
    if ((body[end] ?? 0) > 0x7f) high++
  }
  return body.subarray(start, end)
}

interface Model {
  language: Language
  /** Log likelihoods by character; any other is foreign. */
  costs: Map<string, number>
}

let cachedModels: Model[] | null = null

/** Built on first use. */
function models(): Model[] {
  cachedModels ??= languages.map((language) => ({ language, costs: costsOf(language) }))
  return cachedModels
}

/** Zipf: a letter's likelihood is inversely proportional to its rank. */
function costsOf({ letters, script, rows }: Language): Map<string, number> {
  const costs = new Map<string, number>()
  if (rows) {
    for (const character of charactersOfRows(rows)) costs.set(character, likelihoods.inRows)
  }
  const listed = [...letters]
  const sum = listed.reduce((total, _letter, index) => total + 1 / (index + 1), 0)
  for (const [index, letter] of listed.entries()) {
    // Half of a text in a wide script consists of characters that are not listed.
    const likelihood = -Math.log((index + 1) * sum * (script === 'wide' ? 2 : 1))
    costs.set(letter, likelihood)
    const upper = letter.toUpperCase()
    if (upper !== letter && [...upper].length === 1) costs.set(upper, likelihood)
  }
  return costs
}

function charactersOfRows({ encoding, from, to }: NonNullable<Language['rows']>): string {
  const bytes: number[] = []
  for (let first = from; first <= to; first++) {
    for (let second = encoding === 'big5' ? 0x40 : 0xa1; second <= 0xfe; second++) {
      if (second < 0x7f || second > 0xa0) bytes.push(first, second)
    }
  }
  return decodeAs(encoding, new Uint8Array(bytes)).replace(/[\s!-~\ufffd]/g, '')
}

function scoreOf(text: string[], { script }: Language, costs: Map<string, number>): number {
  let score = 0
  let before = kindOf(' ')
  for (const [index, character] of text.entries()) {
    const kind = kindOf(character)
    if (character > '\x7f') {
      const after = kindOf(text[index + 1] ?? ' ')
      score +=
        script === 'wide' ? wideCost(character, kind, costs) : narrowCost(character, kind, before, after, script, costs)
    }
    before = kind
  }
  return score
}

type Kind =
  | 'ascii-lower'
  | 'ascii-upper'
  | 'lower'
  | 'upper'
  | 'uncased'
  | 'typographic'
  | 'symbol'
  | 'blank'
  | 'impossible'

const kinds = new Map<string, Kind>()

function kindOf(character: string): Kind {
  const cached = kinds.get(character)
  if (cached !== undefined) return cached
  const kind = readKind(character)
  // Bounded by the characters of the encodings.
  kinds.set(character, kind)
  return kind
}

function readKind(character: string): Kind {
  if (/[\x80-\x9f\ufffd]|\p{Co}|\p{Cn}/u.test(character)) return 'impossible'
  if (/[a-z]/.test(character)) return 'ascii-lower'
  if (/[A-Z]/.test(character)) return 'ascii-upper'
  if (/\p{Lu}/u.test(character)) return 'upper'
  if (/\p{Ll}/u.test(character) && character !== 'ª' && character !== 'º') return 'lower'
  if (/\p{L}|\p{M}/u.test(character)) return 'uncased'
  if (character <= '\x7f') return 'blank'
  return /[\xa0‘’‚“”„–—…«»•·©®°§£€№™´‹›¿¡½²³，。、：；？！（）《》「」『』・　ー～]/.test(character)
    ? 'typographic'
    : 'symbol'
}

const isAscii = (kind: Kind) => kind === 'ascii-lower' || kind === 'ascii-upper'
const isLetter = (kind: Kind) => kind === 'lower' || kind === 'upper' || kind === 'uncased'

function wideCost(character: string, kind: Kind, costs: Map<string, number>): number {
  if (kind === 'impossible') return likelihoods.impossible
  const listed = costs.get(character)
  if (listed !== undefined) return listed
  return kind === 'typographic' ? likelihoods.typographic : likelihoods.outOfRows
}

function narrowCost(
  character: string,
  kind: Kind,
  before: Kind,
  after: Kind,
  script: Language['script'],
  costs: Map<string, number>,
): number {
  if (kind === 'impossible') return likelihoods.impossible
  if (!isLetter(kind) && !costs.has(character)) {
    const isWithinWord = (isLetter(before) || isAscii(before)) && (isLetter(after) || isAscii(after))
    return kind === 'typographic' && (!isWithinWord || character === '’')
      ? likelihoods.typographic
      : likelihoods.foreign
  }
  let cost = costs.get(character) ?? likelihoods.foreign
  if (kind === 'upper') {
    const isAfterLower = before === 'lower' || before === 'ascii-lower'
    cost += isAfterLower ? likelihoods.upperAfterLower : likelihoods.upperAtStart
  }
  if (script === 'latin') {
    if (isLetter(before)) cost += likelihoods.doubled
  } else if (isAscii(before) || isAscii(after)) cost += likelihoods.mixed
  return cost
}
