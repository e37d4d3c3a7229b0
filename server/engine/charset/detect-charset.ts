import { type Language, languages } from './charset-languages'
import { decodeAs } from './decoders'

/** How much of a page is looked at, in bytes, and in bytes that are not ASCII. */
const longestSample = 64 * 1024
const highBytes = 2_000

/**
 * Logarithms of how likely a sign is in a text of a language. They are estimates: what counts is their order, and that
 * the difference between the right reading of a page and the others grows with every sign.
 */
const likelihoods = {
  /** Quotation marks, dashes and the like beside letters or blanks. */
  typographic: -5,
  /** A letter that the language does not use, or a sign within a word. */
  foreign: -10,
  /** Controls and bytes that stand for nothing. */
  impossible: -16,
  upperAtStart: -3,
  upperAfterLower: -8,
  /** Two letters beyond ASCII in a row, in Latin script. */
  doubled: -2,
  /** A letter of another script within a word. */
  mixed: -4,
  /** A sign of a wide script that is in use, and one that is not. */
  inRows: -8,
  outOfRows: -12,
}

/** What most pages are in is taken as long as the others are no better. */
const preference: Record<string, number> = {
  'windows-1252': 0,
  macintosh: -12,
  'x-mac-cyrillic': -6,
  'windows-1257': -6,
  'iso-8859-13': -7,
  'iso-8859-4': -8,
  'windows-1258': -8,
}
const usualPreference = -3

/**
 * The encoding in which the bytes of a page that is not UTF-8 make the most sense as text, of those that TextDecoder
 * knows: every language is tried in the encodings that its texts come in.
 */
export function detectEncoding(body: Uint8Array): string {
  const sample = sampleOf(body)
  const texts = new Map<string, string[]>()
  let best = { encoding: 'windows-1252', score: Number.NEGATIVE_INFINITY }
  for (const { costs, language } of models()) {
    for (const encoding of language.encodings) {
      const text = texts.get(encoding) ?? [...decodeAs(encoding, sample)]
      texts.set(encoding, text)
      const score = (preference[encoding] ?? usualPreference) + scoreOf(text, language, costs)
      if (score > best.score) best = { encoding, score }
    }
  }
  return best.encoding
}

/** From the first byte that is not ASCII on. */
function sampleOf(body: Uint8Array): Uint8Array {
  const first = Math.max(
    0,
    body.findIndex((byte) => byte > 0x7f),
  )
  // Some bytes more: the letters in front tell whether a sign stands within a word.
  const start = Math.max(0, first - 1)
  let end = start
  for (let high = 0; end < body.length && end - start < longestSample && high < highBytes; end++) {
    if ((body[end] ?? 0) > 0x7f) high++
  }
  return body.subarray(start, end)
}

interface Model {
  language: Language
  /** By sign; what is missing is foreign. */
  costs: Map<string, number>
}

let built: Model[] | null = null

/** Built at the first page that needs them. */
function models(): Model[] {
  built ??= languages.map((language) => ({ language, costs: costsOf(language) }))
  return built
}

/** A letter is half as likely as one at half its rank. */
function costsOf({ letters, script, rows }: Language): Map<string, number> {
  const costs = new Map<string, number>()
  if (rows) {
    for (const sign of signsOfRows(rows)) costs.set(sign, likelihoods.inRows)
  }
  const listed = [...letters]
  const sum = listed.reduce((total, _letter, index) => total + 1 / (index + 1), 0)
  for (const [index, letter] of listed.entries()) {
    // Half of a text in a wide script is made of signs that are not listed.
    const likelihood = -Math.log((index + 1) * sum * (script === 'wide' ? 2 : 1))
    costs.set(letter, likelihood)
    const upper = letter.toUpperCase()
    if (upper !== letter && [...upper].length === 1) costs.set(upper, likelihood)
  }
  return costs
}

function signsOfRows({ encoding, from, to }: NonNullable<Language['rows']>): string {
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
  for (const [index, sign] of text.entries()) {
    const kind = kindOf(sign)
    if (sign > '\x7f') {
      const after = kindOf(text[index + 1] ?? ' ')
      score += script === 'wide' ? wideCost(sign, kind, costs) : narrowCost(sign, kind, before, after, script, costs)
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

function kindOf(sign: string): Kind {
  const known = kinds.get(sign)
  if (known !== undefined) return known
  const kind = readKind(sign)
  // Bounded by what the encodings can write.
  kinds.set(sign, kind)
  return kind
}

function readKind(sign: string): Kind {
  if (/[\x80-\x9f\ufffd]|\p{Co}|\p{Cn}/u.test(sign)) return 'impossible'
  if (/[a-z]/.test(sign)) return 'ascii-lower'
  if (/[A-Z]/.test(sign)) return 'ascii-upper'
  if (/\p{Lu}/u.test(sign)) return 'upper'
  if (/\p{Ll}/u.test(sign) && sign !== 'ª' && sign !== 'º') return 'lower'
  if (/\p{L}|\p{M}/u.test(sign)) return 'uncased'
  if (sign <= '\x7f') return 'blank'
  return /[\xa0‘’‚“”„–—…«»•·©®°§£€№™´‹›¿¡½²³，。、：；？！（）《》「」『』・　ー～]/.test(sign)
    ? 'typographic'
    : 'symbol'
}

const isAscii = (kind: Kind) => kind === 'ascii-lower' || kind === 'ascii-upper'
const isLetter = (kind: Kind) => kind === 'lower' || kind === 'upper' || kind === 'uncased'

function wideCost(sign: string, kind: Kind, costs: Map<string, number>): number {
  if (kind === 'impossible') return likelihoods.impossible
  const listed = costs.get(sign)
  if (listed !== undefined) return listed
  return kind === 'typographic' ? likelihoods.typographic : likelihoods.outOfRows
}

function narrowCost(
  sign: string,
  kind: Kind,
  before: Kind,
  after: Kind,
  script: Language['script'],
  costs: Map<string, number>,
): number {
  if (kind === 'impossible') return likelihoods.impossible
  if (!isLetter(kind) && !costs.has(sign)) {
    const isInside = (isLetter(before) || isAscii(before)) && (isLetter(after) || isAscii(after))
    return kind === 'typographic' && (!isInside || sign === '’') ? likelihoods.typographic : likelihoods.foreign
  }
  let cost = costs.get(sign) ?? likelihoods.foreign
  if (kind === 'upper') {
    const isAfterLower = before === 'lower' || before === 'ascii-lower'
    cost += isAfterLower ? likelihoods.upperAfterLower : likelihoods.upperAtStart
  }
  if (script === 'latin') {
    if (isLetter(before)) cost += likelihoods.doubled
  } else if (isAscii(before) || isAscii(after)) cost += likelihoods.mixed
  return cost
}
