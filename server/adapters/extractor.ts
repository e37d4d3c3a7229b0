import { availableParallelism } from 'node:os'
import { crawlLimits } from '../engine/limits'
import type { Extractor, PageToRead } from '../engine/ports'
import { createExtractionThread, type ExtractionThread, stopped } from './extraction-thread'

export interface ExtractorOptions {
  /** Holds the tokenizer.json of the embedding model, by whose pieces a page is cut. */
  modelFolder: string
  /** Milliseconds after which a page is given up. */
  timeoutMs?: number
  /** Pages that are read at once; two, where there are as many processors. */
  threads?: number
  /** Milliseconds without a page after which a thread ends. */
  idleMs?: number
}

type Outcome = Awaited<ReturnType<Extractor['extract']>>

interface Waiting {
  page: PageToRead
  resolve: (outcome: Outcome | Promise<Outcome>) => void
  reject: (error: Error) => void
}

/**
 * A few threads that read one page each. Pages are taken in the order of asking, and a thread starts only when those
 * that run are all busy.
 */
export function createExtractor(options: ExtractorOptions): Extractor {
  const { modelFolder, timeoutMs = crawlLimits.extractMs, idleMs = 60_000 } = options
  const size = options.threads ?? Math.min(2, availableParallelism())
  const idle = Array.from({ length: size }, () => createExtractionThread(modelFolder, timeoutMs, idleMs))
  const threads = [...idle]
  const waiting: Waiting[] = []
  let closed = false

  function assign(): void {
    while (waiting.length > 0) {
      const thread = idle.pop()
      const next = thread && waiting.shift()
      if (!thread || !next) return
      next.resolve(readOn(thread, next.page))
    }
  }

  async function readOn(thread: ExtractionThread, page: PageToRead): Promise<Outcome> {
    try {
      return await thread.read(page)
    } finally {
      // The one used last runs already, so it is the next to be used.
      idle.push(thread)
      assign()
    }
  }

  return {
    extract(page) {
      if (closed) return Promise.reject(stopped())
      return new Promise((resolve, reject) => {
        waiting.push({ page, resolve, reject })
        assign()
      })
    },
    async close() {
      closed = true
      for (const { reject } of waiting.splice(0)) reject(stopped())
      await Promise.all(threads.map((thread) => thread.close()))
    },
  }
}
