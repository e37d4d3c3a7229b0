import { availableParallelism } from 'node:os'
import { crawlLimits } from '../../engine/limits'
import type { Extractor } from '../../engine/ports/extractor'
import {
  createExtractionThread,
  type ExtractionOutcome,
  type ExtractionTask,
  type ExtractionThread,
  largePage,
  type ReportFailure,
  stoppingError,
} from './extraction-thread'
import type { TimeLimit } from './time-limit'

export interface ExtractorOptions {
  /** Folder with the embedding model's tokenizer.json, which chunking uses. */
  modelFolder: string
  /** Maximum time of a page. */
  limit?: TimeLimit
  /** Concurrent pages; by default two, or one with a single processor. */
  threads?: number
  /** Time without a page after which a thread ends. */
  idleMs?: number
  log?: { error(details: { err: Error; address: string | null; failures: number }, message: string): void }
}

interface WaitingTask {
  task: ExtractionTask
  resolve: (outcome: ExtractionOutcome | Promise<ExtractionOutcome>) => void
  reject: (error: Error) => void
}

/**
 * Creates a pool of threads that extract one page each, in the order of the calls. A thread starts only if all running
 * ones are busy. Only one large page is read at a time; smaller ones overtake those that wait.
 */
export function createExtractor(options: ExtractorOptions): Extractor {
  const { modelFolder, limit = crawlLimits.extract, idleMs = 60_000 } = options
  const size = options.threads ?? Math.min(2, availableParallelism())
  let failures = 0
  const report: ReportFailure = (thrown, task) => {
    failures++
    const err = thrown instanceof Error ? thrown : new Error(String(thrown))
    // The number shows whether a single page fails or many.
    const details = { err, address: task.kind === 'read' ? task.page.url : null, failures }
    options.log?.error(details, 'The text of a page could not be read.')
  }
  const idle = Array.from({ length: size }, () => createExtractionThread(modelFolder, limit, idleMs, report))
  const threads = [...idle]
  const waiting: WaitingTask[] = []
  let closed = false
  let isReadingLarge = false

  function assign(): void {
    for (;;) {
      const index = waiting.findIndex(({ task }) => !isReadingLarge || !isLarge(task))
      const thread = index < 0 ? undefined : idle.pop()
      const [next] = thread ? waiting.splice(index, 1) : []
      if (!thread || !next) return
      next.resolve(runOn(thread, next.task))
    }
  }

  async function runOn(thread: ExtractionThread, task: ExtractionTask): Promise<ExtractionOutcome> {
    // Read first: the body is transferred to the thread and has no size afterwards.
    const isLargeTask = isLarge(task)
    isReadingLarge ||= isLargeTask
    try {
      return await thread.run(task)
    } finally {
      if (isLargeTask) isReadingLarge = false
      // The last one used is running already, so it is used next.
      idle.push(thread)
      assign()
    }
  }

  function run(task: ExtractionTask): Promise<ExtractionOutcome> {
    if (closed) return Promise.reject(stoppingError())
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
    async rechunk(blocks, boilerplate) {
      const outcome = await run({ kind: 'rechunk', blocks, boilerplate })
      if (typeof outcome === 'string') return outcome
      return outcome.kind === 'rechunk' ? outcome.fragments : 'failed'
    },
    async close() {
      closed = true
      for (const { reject } of waiting.splice(0)) reject(stoppingError())
      await Promise.all(threads.map((thread) => thread.close()))
    },
  }
}

function isLarge(task: ExtractionTask): boolean {
  return task.kind === 'read' && task.page.body.length > largePage
}
