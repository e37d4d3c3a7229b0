import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import type { Boilerplate, ExtractedPage, ExtractionRequest, Fragment } from '../../engine/ports/extractor'
import { startThread } from '../threads/thread-entry'
import type { Failure } from '../threads/thread-pool'
import { processorMsOf } from './processor-time'
import { startTimeLimit, type TimeLimit } from './time-limit'

/** A page to read, or the stored blocks of one to chunk again. */
export type ExtractionTask =
  | { kind: 'read'; page: ExtractionRequest }
  | { kind: 'rechunk'; blocks: Uint8Array; boilerplate: Boilerplate }

export type Extraction = { kind: 'read'; page: ExtractedPage } | { kind: 'rechunk'; fragments: Fragment[] }

export type ExtractionOutcome = Extraction | 'timeout' | 'failed'

/** The answer of a thread to a task. */
export type ExtractionAnswer = { id: number } & ({ done: Extraction } | { failure: Failure })

/** The first message of a thread: it accepts tasks. `thread` is its number on this system; null if unknown. */
export interface ExtractionReady {
  thread: number | null
}

/** Called with the error of each failed task. */
export type ReportFailure = (error: unknown, task: ExtractionTask) => void

export interface ExtractionThread {
  /** Runs one task at a time. Rejects only if the thread is closed. */
  run(task: ExtractionTask): Promise<ExtractionOutcome>
  close(): Promise<void>
}

/** Bytes above which a page is large. Extraction takes many times the size of a page in memory. */
export const largePage = 1024 * 1024

/** Heap for the largest accepted page; a page that needs more fails without affecting others. */
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 12, stackSizeMb: 8 }

/**
 * Creates a thread that starts with its first page. It ends when a page exceeds the limit of time or of memory, and after
 * `idleMs` without pages; the next page starts a new one.
 */
export function createExtractionThread(
  modelFolder: string,
  limit: TimeLimit,
  idleMs: number,
  report: ReportFailure,
): ExtractionThread {
  let worker: Worker | null = null
  let idle: NodeJS.Timeout | undefined
  let closed = false
  let ids = 0
  let systemThread: number | null = null

  function start(): Worker {
    const started = startThread('extract', { modelFolder }, { resourceLimits })
    const forget = () => {
      if (worker === started) worker = null
    }
    // A running task has listeners of its own; an idle thread has nothing to report.
    started.on('error', forget).on('exit', forget)
    worker = started
    return started
  }

  /** Returns a thread that has loaded its code, so that loading does not count as a page's time. */
  async function readyThread(): Promise<Worker> {
    if (worker) return worker
    const started = start()
    const [first] = (await Promise.race([once(started, 'message'), once(started, 'exit')])) as [
      ExtractionReady | number,
    ]
    // An idle thread does not keep the process alive; a running task does, by its timer.
    started.unref()
    if (typeof first === 'number') throw exitError(first)
    systemThread = first.thread
    return started
  }

  function startLimit(onEnd: () => void): () => void {
    return startTimeLimit(limit, () => processorMsOf(systemThread), onEnd)
  }

  function end(): Promise<unknown> {
    const ended = worker
    worker = null
    return ended?.terminate() ?? Promise.resolve()
  }

  return {
    async run(task) {
      clearTimeout(idle)
      try {
        if (closed) throw stoppingError()
        const outcome = await ask(await readyThread(), ids++, task, startLimit)
        if (outcome === 'timeout') await end()
        if (closed) throw stoppingError()
        return outcome
      } catch (error) {
        if (closed) throw stoppingError()
        report(error, task)
        return 'failed'
      } finally {
        if (!closed) idle = setTimeout(() => void end(), idleMs).unref()
      }
    },
    async close() {
      closed = true
      clearTimeout(idle)
      await end()
    },
  }
}

/** Resolves to the thread's answer. Rejects with the error of the task, or with that of the thread. */
function ask(
  thread: Worker,
  id: number,
  task: ExtractionTask,
  startLimit: (onEnd: () => void) => () => void,
): Promise<Extraction | 'timeout'> {
  return new Promise((resolve, reject) => {
    const endLimit = startLimit(() => finish(() => resolve('timeout')))
    const onMessage = (answer: ExtractionAnswer) => {
      if (answer.id !== id) return
      if ('done' in answer) finish(() => resolve(answer.done))
      else finish(() => reject(Object.assign(new Error(answer.failure.message), answer.failure)))
    }
    const onError = (error: Error) => finish(() => reject(error))
    const onExit = (code: number) => finish(() => reject(exitError(code)))
    function finish(settle: () => void): void {
      endLimit()
      thread.off('message', onMessage).off('error', onError).off('exit', onExit)
      settle()
    }
    thread.on('message', onMessage).on('error', onError).on('exit', onExit)
    const body = task.kind === 'read' ? task.page.body : null
    thread.postMessage({ id, task }, body && ownsBuffer(body) ? [body.buffer] : [])
  })
}

function exitError(code: unknown): Error {
  return new Error(`The thread ended with code ${code}.`)
}

/** A body that owns its buffer is transferred; one that shares its buffer is copied. */
function ownsBuffer(body: Uint8Array): body is Uint8Array<ArrayBuffer> {
  return body.buffer instanceof ArrayBuffer && body.byteLength === body.buffer.byteLength && body.byteLength > 0
}

/** The error of tasks that are aborted because the extractor is closed; it does not concern the page. */
export function stoppingError(): Error {
  return new Error('The server is stopping.')
}
