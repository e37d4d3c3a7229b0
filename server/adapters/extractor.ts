import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { crawlLimits } from '../engine/limits'
import type { ExtractedPage, Extractor, PageToRead } from '../engine/ports'
import { startThread } from './threads'

export interface ExtractorOptions {
  /** Holds the tokenizer.json of the embedding model, by whose pieces a page is cut. */
  modelFolder: string
  /** Milliseconds after which a page is given up. */
  timeoutMs?: number
}

type Outcome = Awaited<ReturnType<Extractor['extract']>>

/** Heap for the largest page that is read; one that needs more fails alone. */
const resourceLimits = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 64, stackSizeMb: 8 }

/**
 * One thread that reads one page at a time. It starts with the first page. A page that takes too long or exhausts it
 * ends the thread, and the next page gets a new one.
 */
export function createExtractor(options: ExtractorOptions): Extractor {
  const timeoutMs = options.timeoutMs ?? crawlLimits.extractMs
  let worker: Worker | null = null
  let line: Promise<unknown> = Promise.resolve()
  let closed = false
  let ids = 0

  function start(): Worker {
    const started = startThread('extract', { modelFolder: options.modelFolder }, { resourceLimits })
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

  async function read(page: PageToRead): Promise<Outcome> {
    const ready = closed ? null : await readyThread()
    if (closed) throw stopped()
    if (!ready) return 'failed'
    const used: Worker = ready
    const id = ids++
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => finish('timeout'), timeoutMs)
      const onMessage = (answer: { id: number; read: ExtractedPage | null }) => {
        if (answer.id === id) finish(answer.read ?? 'failed')
      }
      const onEnd = () => finish(closed ? stopped() : 'failed')
      function finish(outcome: Outcome | Error): void {
        clearTimeout(timer)
        used.off('message', onMessage).off('error', onEnd).off('exit', onEnd)
        if (outcome === 'timeout') {
          worker = null
          void used.terminate()
        }
        if (outcome instanceof Error) reject(outcome)
        else resolve(outcome)
      }
      used.on('message', onMessage).on('error', onEnd).on('exit', onEnd)
      used.postMessage({ id, page })
    })
  }

  return {
    extract(page) {
      const result = line.then(() => read(page))
      line = result.catch(() => {})
      return result
    },
    async close() {
      closed = true
      await worker?.terminate()
      worker = null
    },
  }
}

function stopped(): Error {
  return new Error('The server is stopping.')
}
