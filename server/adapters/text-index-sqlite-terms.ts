import { stemmer } from 'stemmer'
import { ownText } from '../engine/own-text'
import { partsOf, signedNames } from '../engine/query-codes'
import { beginningOf, foldWords, isPaired, pairsOf, runsOf, unifyForms } from '../engine/word-forms'

/** The words of a text and what else they are found by, as terms of the index. */
export interface TextTerms {
  words: string
  stems: string
}

/** By the prefixes of a few collections: the terms of runs of letters and digits. */
const remembered = new Map<string, Map<string, TextTerms>>()
const longestMemory = 15_000
const mostPrefixes = 3
const longestRemembered = 30
/** Longer words are data; so much of them tells them apart. */
const longestTerm = 64

/** In front of each term; no word holds the sign at its end. */
export function prefixOf(collection: number): string {
  return `${collection.toString(36)}:`
}

/** Stands in every fragment of the collection. */
export function placeTerm(prefix: string): string {
  return `${prefix}~`
}

/**
 * The terms of a text. Beside its folded words stand, of each word, its English stem (M. F. Porter, 1980) and, for
 * inflected languages, its first five letters; of names with humps or digits also the stems of their parts
 * ("createServer" gives "creat", "server" and "createserv"). What is found by pairs is there as pairs, and by its last
 * sign, so that each sign begins one.
 */
export function termsOfText(text: string, prefix: string): TextTerms {
  let words = ''
  let stems = ''
  const known = memoryOf(prefix)
  for (const run of runsOf(unifyForms(text))) {
    const terms = known.get(run) ?? remember(known, run, termsOfRun(run, prefix))
    words += terms.words
    stems += terms.stems
  }
  for (const name of signedNames(text)) words += `${prefix}${name} `
  return { words, stems }
}

/** A site says most of its words again and again. */
function memoryOf(prefix: string): Map<string, TextTerms> {
  const known = remembered.get(prefix)
  if (known) return known
  if (remembered.size >= mostPrefixes) remembered.clear()
  const memory = new Map<string, TextTerms>()
  remembered.set(prefix, memory)
  return memory
}

function remember(known: Map<string, TextTerms>, run: string, terms: TextTerms): TextTerms {
  if (run.length > longestRemembered) return terms
  if (known.size >= longestMemory) known.clear()
  known.set(ownText(run), terms)
  return terms
}

function termsOfRun(run: string, prefix: string): TextTerms {
  const listOf = (terms: string[]) => ownText(terms.map((term) => `${prefix}${term} `).join(''))
  const folded = cutWord(foldWords(run))
  if (isPaired(run)) return { words: '', stems: listOf(pairsAndLast(foldWords(run))) }
  const stems = [...partsOf(run).map(foldWords), folded].map(stemOf)
  const beginning = beginningTerm(folded)
  return { words: listOf([folded]), stems: listOf(beginning === null ? stems : [...stems, beginning]) }
}

function pairsAndLast(run: string): string[] {
  return [...pairsOf(run), ...[...run].slice(1).slice(-1)]
}

/** A word as it stands in the index. */
export function cutWord(folded: string): string {
  return folded.length > longestTerm ? folded.slice(0, longestTerm).toWellFormed() : folded
}

/** The English stem of a folded word. */
export function stemOf(folded: string): string {
  return stemmer(folded)
}

/** How a beginning stands among the stems; null where the word is too short to have one. */
export function beginningTerm(folded: string): string | null {
  const beginning = beginningOf(folded)
  return beginning === null ? null : `${beginning}~`
}
