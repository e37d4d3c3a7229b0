import { ownText } from '../engine/own-text'
import type { RunTerms } from './text-index-sqlite-terms'

/** The terms of the runs that were met last. */
export interface RunMemory {
  get(run: string): RunTerms | undefined
  keep(run: string, terms: RunTerms): RunTerms
}

/** Runs of a generation: when there are more, those that were not met since the last one began are forgotten. */
const mostOfGeneration = 10_000
const longestKept = 30

export function createRunMemory(): RunMemory {
  let young = new Map<string, RunTerms>()
  let old = young

  function keep(run: string, terms: RunTerms): RunTerms {
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
