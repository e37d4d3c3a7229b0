/** A range of a text: from `start` up to, but without, `end`. */
export interface Span {
  start: number
  end: number
}

/** Abbreviations that a capital letter or a number follows: 'Dr. Meyer', 'Tel. 030', 'ul. Lipowa', 'No. 5'. */
const abbreviations = new Set(
  `mr mrs ms dr prof st no nr vs approx tel fax ext fig vol pp inc ltd jr sr dept est mt messrs
  ca inkl exkl zzgl zzügl evtl ggf bzw str hr fr abs art ziff kap std min max mind mio mrd jh geb ing dipl hauptstr sog
  ul al pl os godz np tj tzn inż mgr hab św im pkt str tys mln mld woj pow gm lok wyd red
  jan feb mar apr jun jul aug sep sept oct okt nov dec dez`.split(/\s+/),
)
const lastWord = /(?<![\p{L}\p{N}]|\p{N}[.,:])([\p{L}\p{N}]+)\.["'”’)\]]*$/u
/** 'z. B.', 'J. R. R. Tolkien'. */
const singleLetter = /^\p{L}$/u
/** 'am 3. Mai', '5. Stock', '1. piętro': in many languages a number with a period is an ordinal. */
const ordinal = /^\p{N}{1,2}$/u
const english = /^en(?:-|$)/
const startsLower = /^["'„“(]*\p{Ll}/u

/** The sentences of one line. Those of other languages than English may contain ordinals. */
export function splitSentences(line: string, language: string): Span[] {
  const sentences: Span[] = []
  for (const { segment, index } of segmenterOf(language).segment(line)) {
    const start = index + (segment.length - segment.trimStart().length)
    const end = index + segment.trimEnd().length
    if (start >= end) continue
    const last = sentences.at(-1)
    if (last && isUnfinished(line.slice(last.start, last.end), line.slice(start, end), language)) last.end = end
    else sentences.push({ start, end })
  }
  return sentences
}

/** Whether the period at the end of a segment belongs to its last word. */
function isUnfinished(segment: string, next: string, language: string): boolean {
  const word = lastWord.exec(segment)?.[1]
  if (word === undefined) return false
  if (startsLower.test(next) || singleLetter.test(word) || abbreviations.has(word.toLowerCase())) return true
  return ordinal.test(word) && !english.test(language)
}

/** The last segmenter: creating one costs more than using it, and most hits of a search share a language. */
let cached: { language: string; segmenter: Intl.Segmenter } | null = null

function segmenterOf(language: string): Intl.Segmenter {
  if (cached?.language !== language) {
    const segmenter = new Intl.Segmenter(isLocale(language) ? language : 'en', { granularity: 'sentence' })
    cached = { language, segmenter }
  }
  return cached.segmenter
}

function isLocale(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length > 0
  } catch {
    return false
  }
}
