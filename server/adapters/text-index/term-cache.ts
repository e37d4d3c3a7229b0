import { ownText } from '../../engine/language/detach-string'

interface RunMemory<Terms> {
  get(run: string): Terms | undefined
  /** Returns the terms. */
  keep(run: string, terms: Terms): Terms
}

/** Runs of a generation: when there are more, those that were not met since the last one began are forgotten. */
const mostOfGeneration = 30_000
const longestKept = 30

/** Keeps the terms of the runs of letters and digits that were met last: 30,000 to 60,000 of them. */
export function createRunMemory<Terms>(): RunMemory<Terms> {
  let young = new Map<string, Terms>()
  let old = young

  function keep(run: string, terms: Terms): Terms {
    if (run.length > longestKept) return terms
    if (young.size >= mostOfGeneration) {
      old = young
      young = new Map()
    }
    young.set(ownText(run), terms)
    return terms
  }

  return {
    get(run) {
      const known = young.get(run)
      if (known || old === young) return known
      const older = old.get(run)
      return older && keep(run, older)
    },
    keep,
  }
}
