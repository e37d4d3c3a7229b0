import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import type { ExtractedPage, Fragment, PageToRead, SiteShare } from '../../engine/ports'
import { startThread } from '../threads/thread-entry'

/** A page to read, or one to cut again from what was kept of it. */
export type ExtractionTask = { kind: 'read'; page: PageToRead } | { kind: 'cut'; blocks: Uint8Array; share: SiteShare }

export type Extraction = { kind: 'read'; page: ExtractedPage } | { kind: 'cut'; fragments: Fragment[] }

export type ExtractionOutcome = Extraction | 'timeout' | 'failed'

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
export function createExtractionThread(modelFolder: string, timeoutMs: number, idleMs: number): ExtractionThread {
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

  /** A thread that has loaded its code, so that a page's time is its own; null when it could not. */
  async function readyThread(): Promise<Worker | null> {
    if (worker) return worker
    const started = start()
    const [first] = await Promise.race([once(started, 'message'), once(started, 'exit')]).catch(() => [null])
    // Waiting for pages keeps no process alive; a page at work does, by its timer.
    started.unref()
    return first === 'ready' ? started : null
  }

  function end(): Promise<unknown> {
    const ended = worker
    worker = null
    return ended?.terminate() ?? Promise.resolve()
  }

  return {
    async run(task) {
      clearTimeout(idle)
      const used = closed ? null : await readyThread()
      if (closed) throw stopped()
      if (!used) return 'failed'
      const outcome = await ask(used, ids++, task, timeoutMs)
      if (closed) throw stopped()
      if (outcome === 'timeout') await end()
      idle = setTimeout(() => void end(), idleMs).unref()
      return outcome
    },
    async close() {
      closed = true
      clearTimeout(idle)
      await end()
    },
  }
}

/** The thread's answer; 'failed' when it ends before it gives one. */
function ask(thread: Worker, id: number, task: ExtractionTask, timeoutMs: number): Promise<ExtractionOutcome> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish('timeout'), timeoutMs)
    const onMessage = (answer: { id: number; done: Extraction | null }) => {
      if (answer.id === id) finish(answer.done ?? 'failed')
    }
    const onEnd = () => finish('failed')
    function finish(outcome: ExtractionOutcome): void {
      clearTimeout(timer)
      thread.off('message', onMessage).off('error', onEnd).off('exit', onEnd)
      resolve(outcome)
    }
    thread.on('message', onMessage).on('error', onEnd).on('exit', onEnd)
    const body = task.kind === 'read' ? task.page.body : null
    thread.postMessage({ id, task }, body && isWhole(body) ? [body.buffer] : [])
  })
}

/** A body with a buffer of its own changes hands; of one that shares its buffer a copy goes. */
function isWhole(body: Uint8Array): body is Uint8Array<ArrayBuffer> {
  return body.buffer instanceof ArrayBuffer && body.byteLength === body.buffer.byteLength && body.byteLength > 0
}

/** What a page is told that was cut off: it says nothing about the page. */
export function stopped(): Error {
  return new Error('The server is stopping.')
}
