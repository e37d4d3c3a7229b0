import { stemmer } from 'stemmer'
import { ownText } from '../../engine/language/detach-string'
import { beginningOf, foldWords, isPaired, pairsOf, runsOf, unifyForms } from '../../engine/language/normalize-text'
import { partsOf, signedNames } from '../../engine/search/identifiers'
import { createRunMemory } from './term-cache'

/** The terms of a fragment, each of title, headings and text. */
export interface FragmentTerms {
  words: string[]
  /** What else they are found by. */
  stems: string[]
}

/** What a run of letters and digits stands for, without the prefix of a collection. */
interface RunTerms {
  /** Null for what is found by pairs. */
  word: string | null
  stems: string[]
  beginning: string | null
  /** The word from its end to its start, where it may be a compound. */
  backwards: string | null
  isTelling: boolean
}

/** A site says most of its words again and again. */
const remembered = createRunMemory<RunTerms>()
/** The same for all, as most runs have none. */
const noStems: string[] = []
/** Longer words are data; so much of them tells them apart. */
const longestTerm = 64
/** Small words that tell English: hardly any other language writes one of them often. */
const tellingWords = new Set('the of and with that this are from which you your can will'.split(' '))
/** So many words of an English text are one of these at least; it is about one in six. */
const wordsToTellingOne = 16

const mayHaveForms = /^[a-z]{4,24}$/
const shortestForm = 4
/** By which forms of nouns differ in the languages that write compounds as one word. */
const formEndings = ['n', 'en', 'e', 'er', 's', 'es']

/** In front of each term; no word holds the sign at its end. */
export function prefixOf(collection: number): string {
  return `${collection.toString(36)}:`
}

/** Stands in every fragment of the collection. */
export function placeTerm(prefix: string): string {
  return `${prefix}~`
}

/**
 * The terms of a fragment. Beside its folded words stand, of each word, its English stem (M. F. Porter, 1980) where that
 * is another one and, unless the text is in English, its first five letters and, of long words, all letters from the end
 * to the start, so that what a compound ends with begins one; of names with humps or digits also the stems
 * of their parts ("createServer" gives "creat", "server" and "createserv"). What is found by pairs is there as pairs, and
 * by its last sign, so that each sign begins one.
 */
export function termsOfFragment(
  { title, headings, text }: { title: string; headings: string; text: string },
  prefix: string,
): FragmentTerms {
  const parts = [title, headings, text].map(unifyForms).map((part) => {
    const terms = runsOf(part).map((run) => remembered.get(run) ?? remembered.keep(run, termsOfRun(run)))
    return { part, terms }
  })
  const isEnglish = tellsEnglish(parts[2]?.terms ?? [])
  const join = (terms: string[]) => (terms.length === 0 ? '' : prefix + terms.join(` ${prefix}`))
  return {
    words: parts.map(({ part, terms }) => {
      const words = signedNames(part)
      for (const { word } of terms) if (word !== null) words.push(word)
      return join(words)
    }),
    stems: parts.map(({ terms }) => {
      const all: string[] = []
      for (const { stems, beginning, backwards } of terms) {
        for (const stem of stems) all.push(stem)
        if (isEnglish) continue
        if (beginning !== null) all.push(beginning)
        if (backwards !== null) all.push(backwards)
      }
      return join(all)
    }),
  }
}

/** By its words: what a page says of its language is often that of a template. */
function tellsEnglish(terms: RunTerms[]): boolean {
  let telling = 0
  for (const { isTelling } of terms) if (isTelling) telling++
  return telling > 1 && telling * wordsToTellingOne >= terms.length
}

/** Of Latin letters, and long enough for two words. */
const mayBeCompound = /^[a-z]{8,64}$/
const plainWord = /^[A-Z]?[a-z]+$/

function termsOfRun(run: string): RunTerms {
  const isPlain = plainWord.test(run)
  const folded = cutWord(isPlain ? run.toLowerCase() : foldWords(run))
  if (!isPlain && isPaired(run))
    return {
      word: null,
      stems: pairsAndLast(foldWords(run)).map(ownText),
      beginning: null,
      backwards: null,
      isTelling: false,
    }
  const stem = stemOf(folded)
  const parts = isPlain ? [] : partsOf(run).map((part) => stemOf(foldWords(part)))
  const beginning = beginningTerm(folded)
  const stems = stem === folded ? parts : [...parts, stem]
  return {
    word: ownText(folded),
    stems: stems.length === 0 ? noStems : stems.map(ownText),
    beginning: beginning === null ? null : ownText(beginning),
    backwards: mayBeCompound.test(folded) ? endingTerm(folded) : null,
    isTelling: tellingWords.has(folded),
  }
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

/** How words that end with this folded one begin among the stems: its letters backwards. */
export function endingTerm(folded: string): string {
  return `~${[...folded].reverse().join('')}`
}

/** The word that stands there backwards. */
export function wordOfEnding(term: string): string {
  return [...term.slice(1)].reverse().join('')
}

/** What a folded word may be in other cases and numbers, longer ones first; each costs a place in the index to be found. */
export function formsOf(word: string): string[] {
  if (!mayHaveForms.test(word)) return []
  const shorter = formEndings.filter((ending) => word.endsWith(ending)).map((ending) => word.slice(0, -ending.length))
  return [...formEndings.map((ending) => word + ending), ...shorter.filter((one) => one.length >= shortestForm)]
}
