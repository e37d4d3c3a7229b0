import { createHash } from 'node:crypto'
import { crawlLimits } from '../../limits'

/** Detects calendars and counters: pages that link to one another and differ in numbers alone. */
export interface CrawlerTrapDetector {
  /**
   * Records a fetched page. True at the end of a chain of `crawlLimits.numberedPageStreak` pages, each discovered on
   * the one before, that had no new text: its links are not worth following. New text resets the chain.
   */
  isEndless(runId: string, page: ChainedPage): boolean
}

interface ChainedPage {
  url: string
  discoveredFrom: string | null
  /** Texts of its fragments. */
  texts: readonly string[]
}

interface Run {
  /** Hashes of texts without their digits. */
  seen: Set<number>
  /** Pages since the last new text, by URL; without zeros. */
  streaks: Map<string, number>
}

const maxRuns = 50
/** Pages with more fragments are never part of a trap. */
const maxFragments = 20

export function createCrawlerTrapDetector(): CrawlerTrapDetector {
  const runs = new Map<string, Run>()

  function runOf(id: string): Run {
    const run = runs.get(id) ?? { seen: new Set(), streaks: new Map() }
    // Moves the run to the end: the first one was used least recently.
    runs.delete(id)
    runs.set(id, run)
    const [oldest] = runs.keys()
    if (runs.size > maxRuns && oldest !== undefined) runs.delete(oldest)
    return run
  }

  return {
    isEndless(runId, { url, discoveredFrom, texts }) {
      const { seen, streaks } = runOf(runId)
      const hash = texts.length > maxFragments ? null : hashWithoutDigits(texts)
      if (hash === null || !seen.has(hash)) {
        if (hash !== null) seen.add(hash)
        streaks.delete(url)
        if (discoveredFrom !== null) streaks.delete(discoveredFrom)
        return false
      }
      const streak = (streaks.get(discoveredFrom ?? '') ?? 0) + 1
      streaks.set(url, streak)
      return streak >= crawlLimits.numberedPageStreak
    },
  }
}

/** Six bytes distinguish the pages of one run. */
function hashWithoutDigits(texts: readonly string[]): number {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(`${text.replace(/\p{Nd}+/gu, '')}\n`)
  return hash.digest().readUIntBE(0, 6)
}
