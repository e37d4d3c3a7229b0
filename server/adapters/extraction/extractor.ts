import { availableParallelism } from 'node:os'
import { crawlLimits } from '../../engine/limits'
import type { Extractor } from '../../engine/ports'
import {
  createExtractionThread,
  type ExtractionOutcome,
  type ExtractionTask,
  type ExtractionThread,
  largePage,
  type ReportFailure,
  stopped,
} from './extraction-thread'

export interface ExtractorOptions {
  /** Holds the tokenizer.json of the embedding model, by whose pieces a page is cut. */
  modelFolder: string
  /** Milliseconds after which a page is given up. */
  timeoutMs?: number
  /** Pages that are read at once; two, where there are as many processors. */
  threads?: number
  /** Milliseconds without a page after which a thread ends. */
  idleMs?: number
  log?: { error(details: { err: Error; address: string | null; failures: number }, message: string): void }
}

interface Waiting {
  task: ExtractionTask
  resolve: (outcome: ExtractionOutcome | Promise<ExtractionOutcome>) => void
  reject: (error: Error) => void
}

/**
 * A few threads that read one page each. Pages are taken in the order of asking, and a thread starts only when those
 * that run are all busy. Large pages are read one after the other, and let smaller ones pass.
 */
export function createExtractor(options: ExtractorOptions): Extractor {
  const { modelFolder, timeoutMs = crawlLimits.extractMs, idleMs = 60_000 } = options
  const size = options.threads ?? Math.min(2, availableParallelism())
  let failures = 0
  const report: ReportFailure = (thrown, task) => {
    failures++
    const err = thrown instanceof Error ? thrown : new Error(String(thrown))
    // The number tells a single page from a fault that meets many.
    const details = { err, address: task.kind === 'read' ? task.page.url : null, failures }
    options.log?.error(details, 'The text of a page could not be read.')
  }
  const idle = Array.from({ length: size }, () => createExtractionThread(modelFolder, timeoutMs, idleMs, report))
  const threads = [...idle]
  const waiting: Waiting[] = []
  let closed = false
  let readsLarge = false

  function assign(): void {
    for (;;) {
      const place = waiting.findIndex(({ task }) => !readsLarge || !isLarge(task))
      const thread = place < 0 ? undefined : idle.pop()
      const [next] = thread ? waiting.splice(place, 1) : []
      if (!thread || !next) return
      next.resolve(runOn(thread, next.task))
    }
  }

  async function runOn(thread: ExtractionThread, task: ExtractionTask): Promise<ExtractionOutcome> {
    // Its body changes hands, so that it has no size afterwards.
    const isOne = isLarge(task)
    readsLarge ||= isOne
    try {
      return await thread.run(task)
    } finally {
      if (isOne) readsLarge = false
      // The one used last runs already, so it is the next to be used.
      idle.push(thread)
      assign()
    }
  }

  function run(task: ExtractionTask): Promise<ExtractionOutcome> {
    if (closed) return Promise.reject(stopped())
    return new Promise((resolve, reject) => {
      waiting.push({ task, resolve, reject })
      assign()
    })
  }

  return {
    async extract(page) {
      const outcome = await run({ kind: 'read', page })
      if (typeof outcome === 'string') return outcome
      return outcome.kind === 'read' ? outcome.page : 'failed'
    },
    async rechunk(blocks, share) {
      const outcome = await run({ kind: 'cut', blocks, share })
      if (typeof outcome === 'string') return outcome
      return outcome.kind === 'cut' ? outcome.fragments : 'failed'
    },
    async close() {
      closed = true
      for (const { reject } of waiting.splice(0)) reject(stopped())
      await Promise.all(threads.map((thread) => thread.close()))
    },
  }
}

function isLarge(task: ExtractionTask): boolean {
  return task.kind === 'read' && task.page.body.length > largePage
}
