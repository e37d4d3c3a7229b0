import { foldWords, isPaired, pairsOf } from '../../engine/language/normalize-text'
import { partsOf } from '../../engine/search/identifiers'
import { beginningTerm, cutWord, endingTerm, formsOf, stemOf } from './terms'

/** One word of a query, or a code, and how it is looked for. */
export interface Sought {
  /** As FTS5 reads them, each for itself. */
  matches: Match[]
  /** Folded; null for what is not a word that may be misspelt. */
  word: string | null
}

interface Match {
  match: string
  /** What it counts beside the others of the word. */
  weight: number
}

export const wordColumns = '{title headings text}'
export const stemColumns = '{title_stems heading_stems text_stems}'
/** A word that is its own stem stands only once. */
const allColumns = '{title headings text title_stems heading_stems text_stems}'
export const headingColumns = '{title headings title_stems heading_stems}'
const shortestPart = 2
/** Of the stem of an inflected word beside its beginning: a form is rare, and its rarity misleads. */
const formWeight = 0.3
/** Of words that end with the one that was asked for, or begin with it. */
const endingWeight = 0.5
/** Of forms of a word that is too short to have a beginning. */
const shortFormWeight = 0.5

/** Writes matches of the terms of one collection. */
export function createMatches(prefix: string) {
  /** These terms, following one another, in these columns. */
  function phrase(columns: string, terms: string[]): string {
    return `${columns} : "${terms.map((term) => prefix + cutWord(term)).join(' ')}"`
  }

  /** A folded word: an English one as it stands and by its stem, another by its beginning and a little by its stem. */
  function ofWord(word: string, english: boolean): Sought {
    const asItStands = phrase(wordColumns, [word])
    const byStem = phrase(allColumns, [stemOf(word)])
    if (english)
      return {
        matches: [
          { match: asItStands, weight: 1 },
          { match: byStem, weight: 1 },
        ],
        word,
      }
    const beginning = beginningTerm(word)
    if (beginning === null) {
      const forms = formsOf(word).map((form) => `"${prefix}${form}"`)
      const byForms = { match: `${wordColumns} : (${forms.join(' OR ')})`, weight: shortFormWeight }
      return { matches: [{ match: asItStands, weight: 1 }, ...(forms.length > 0 ? [byForms] : [])], word }
    }
    const byBeginning = { match: phrase(stemColumns, [beginning]), weight: 1 }
    return { matches: [byBeginning, { match: byStem, weight: formWeight }], word }
  }

  function inOne(words: string[]): string {
    return phrase(wordColumns, [words.join('')])
  }

  function ofPairs(run: string): Sought[] {
    return pairsOf(run).map((pair) => {
      const match = phrase(stemColumns, [pair])
      return { matches: [{ match: [...pair].length === 1 ? `${match} *` : match, weight: 1 }], word: null }
    })
  }

  return {
    ofWord,
    /** Words of a query, each once. */
    ofWords(words: string[], english: boolean): Sought[] {
      const all = words.flatMap((word) => {
        if (isPaired(word)) return ofPairs(foldWords(word))
        const parts = foldWords(word).split('_')
        return parts.filter((part) => part !== '').map((part) => ofWord(part, english))
      })
      return [...new Map(all.map((one) => [one.matches.map(({ match }) => match).join(), one])).values()]
    },
    /** Words that follow one another, or are written as one. */
    ofCode(words: string[]): Sought {
      const all = words.length > 1 ? [phrase(wordColumns, words), inOne(words)] : [phrase(wordColumns, words)]
      return { matches: all.map((match) => ({ match, weight: 1 })), word: null }
    },
    inOne,
    /** Longer words that end like one of these. */
    endingWith(ends: string[]): Sought {
      const terms = ends.map((end) => `"${prefix}${endingTerm(end)}" *`)
      return { matches: [{ match: `${stemColumns} : (${terms.join(' OR ')})`, weight: endingWeight }], word: null }
    },
    /** Longer words that begin like this. */
    beginningWith(word: string): Sought {
      return { matches: [{ match: `${phrase(wordColumns, [word])} *`, weight: endingWeight }], word: null }
    },
    /** Parts of a name that stands nowhere as a whole. */
    ofParts(name: string, english: boolean): Sought[] {
      const parts = partsOf(name).map(foldWords)
      return parts.filter((part) => part.length >= shortestPart).map((part) => ofWord(part, english))
    },
  }
}
