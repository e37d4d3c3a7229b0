import { createHash } from 'node:crypto'
import { crawlLimits } from '../../limits'

/** Watches the pages of runs for calendars and counters, whose pages lead to one another and differ in numbers alone. */
export interface NumberStreaks {
  /**
   * Takes a page that was read. True where it is the end of a long chain of pages, each found on the one before, that
   * brought no new words: its links lead nowhere new. A page in the chain that led to new words begins it anew.
   */
  isEndless(runId: string, page: PageOfChain): boolean
}

interface PageOfChain {
  url: string
  discoveredFrom: string | null
  /** Its passages. */
  texts: readonly string[]
}

interface Run {
  /** Texts without their numbers, by a hash. */
  met: Set<number>
  /** Pages since the last new words, by address; 0 is left out. */
  streaks: Map<string, number>
}

/** Runs that are remembered; a run that is forgotten begins anew. */
const knownRuns = 50
/** Pages of more passages have something to say. */
const mostPassages = 20

export function createNumberStreaks(): NumberStreaks {
  const runs = new Map<string, Run>()

  function runOf(id: string): Run {
    const run = runs.get(id) ?? { met: new Set(), streaks: new Map() }
    // The last one asked for is the last one to be forgotten.
    runs.delete(id)
    runs.set(id, run)
    const [oldest] = runs.keys()
    if (runs.size > knownRuns && oldest !== undefined) runs.delete(oldest)
    return run
  }

  return {
    isEndless(runId, { url, discoveredFrom, texts }) {
      const { met, streaks } = runOf(runId)
      const words = texts.length > mostPassages ? null : hashOfWords(texts)
      if (words === null || !met.has(words)) {
        if (words !== null) met.add(words)
        streaks.delete(url)
        if (discoveredFrom !== null) streaks.delete(discoveredFrom)
        return false
      }
      const streak = (streaks.get(discoveredFrom ?? '') ?? 0) + 1
      streaks.set(url, streak)
      return streak >= crawlLimits.numberStreak
    },
  }
}

/** Six bytes are enough to tell the pages of one run apart. */
function hashOfWords(texts: readonly string[]): number {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(`${text.replace(/\p{Nd}+/gu, '')}\n`)
  return hash.digest().readUIntBE(0, 6)
}
