import { detachString } from '../../engine/language/detach-string'

interface TermCache<Terms> {
  get(word: string): Terms | undefined
  /** Returns the terms. */
  set(word: string, terms: Terms): Terms
}

/** Words of a generation. When it is full, the words of the generation before it that were not used since are evicted. */
const generationSize = 30_000
const maxWordLength = 30

/** Caches the terms of the 30,000 to 60,000 most recently used words. */
export function createTermCache<Terms>(): TermCache<Terms> {
  let young = new Map<string, Terms>()
  let old = young

  function set(word: string, terms: Terms): Terms {
    if (word.length > maxWordLength) return terms
    if (young.size >= generationSize) {
      old = young
      young = new Map()
    }
    young.set(detachString(word), terms)
    return terms
  }

  return {
    get(word) {
      const known = young.get(word)
      if (known || old === young) return known
      const older = old.get(word)
      return older && set(word, older)
    },
    set,
  }
}
