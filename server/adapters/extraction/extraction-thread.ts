import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import type { Boilerplate, ExtractedPage, ExtractionRequest, Fragment } from '../../engine/ports'
import { startThread } from '../threads/thread-entry'
import type { Failure } from '../threads/thread-pool'

/** A page to read, or one to cut again from what was kept of it. */
export type ExtractionTask =
  | { kind: 'read'; page: ExtractionRequest }
  | { kind: 'cut'; blocks: Uint8Array; share: Boilerplate }

export type Extraction = { kind: 'read'; page: ExtractedPage } | { kind: 'cut'; fragments: Fragment[] }

export type ExtractionOutcome = Extraction | 'timeout' | 'failed'

/** What a thread answers to one task. */
export type ExtractionAnswer = { id: number } & ({ done: Extraction } | { failure: Failure })

/** Called for each task that failed, with what was thrown. */
export type ReportFailure = (error: unknown, task: ExtractionTask) => void

export interface ExtractionThread {
  /** Does one task at a time. Rejects only when the thread is closed. */
  run(task: ExtractionTask): Promise<ExtractionOutcome>
  close(): Promise<void>
}

/** Bytes from which on a page is large: it takes many times its size in memory while it is read. */
export const largePage = 1024 * 1024

/** Heap for the largest page that is read; one that needs more fails alone. */
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 12, stackSizeMb: 8 }

/**
 * A thread that starts with its first page. A page that takes longer than `timeoutMs` or exhausts it ends the thread,
 * and so does nothing to read for `idleMs`; the next page gets a new one.
 */
export function createExtractionThread(
  modelFolder: string,
  timeoutMs: number,
  idleMs: number,
  report: ReportFailure,
): ExtractionThread {
  let worker: Worker | null = null
  let idle: NodeJS.Timeout | undefined
  let closed = false
  let ids = 0

  function start(): Worker {
    const started = startThread('extract', { modelFolder }, { resourceLimits })
    const forget = () => {
      if (worker === started) worker = null
    }
    // The page at work hears of it by itself; without one there is nobody to tell.
    started.on('error', forget).on('exit', forget)
    worker = started
    return started
  }

  /** A thread that has loaded its code, so that a page's time is its own. Rejects when it could not. */
  async function readyThread(): Promise<Worker> {
    if (worker) return worker
    const started = start()
    const [first] = await Promise.race([once(started, 'message'), once(started, 'exit')])
    // Waiting for pages keeps no process alive; a page at work does, by its timer.
    started.unref()
    if (first !== 'ready') throw endOf(first)
    return started
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
        if (closed) throw stopped()
        const outcome = await ask(await readyThread(), ids++, task, timeoutMs)
        if (outcome === 'timeout') await end()
        if (closed) throw stopped()
        return outcome
      } catch (error) {
        if (closed) throw stopped()
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

/** The thread's answer; rejects with what the task threw, or with what ended the thread. */
function ask(thread: Worker, id: number, task: ExtractionTask, timeoutMs: number): Promise<Extraction | 'timeout'> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => finish(() => resolve('timeout')), timeoutMs)
    const onMessage = (answer: ExtractionAnswer) => {
      if (answer.id !== id) return
      if ('done' in answer) finish(() => resolve(answer.done))
      else finish(() => reject(Object.assign(new Error(answer.failure.message), answer.failure)))
    }
    const onError = (error: Error) => finish(() => reject(error))
    const onExit = (code: number) => finish(() => reject(endOf(code)))
    function finish(settle: () => void): void {
      clearTimeout(timer)
      thread.off('message', onMessage).off('error', onError).off('exit', onExit)
      settle()
    }
    thread.on('message', onMessage).on('error', onError).on('exit', onExit)
    const body = task.kind === 'read' ? task.page.body : null
    thread.postMessage({ id, task }, body && isWhole(body) ? [body.buffer] : [])
  })
}

function endOf(code: unknown): Error {
  return new Error(`The thread ended with code ${code}.`)
}

/** A body with a buffer of its own changes hands; of one that shares its buffer a copy goes. */
function isWhole(body: Uint8Array): body is Uint8Array<ArrayBuffer> {
  return body.buffer instanceof ArrayBuffer && body.byteLength === body.buffer.byteLength && body.byteLength > 0
}

/** What a page is told that was cut off: it says nothing about the page. */
export function stopped(): Error {
  return new Error('The server is stopping.')
}
