import type { Logger } from 'pino'
import type { FileReader, FileReading, FileRefusal, FileToRead } from '../../engine/documents/ports'
import { fileLimits } from '../../engine/limits'
import { type LimitedProcess, startLimitedProcess } from './limited-process'
import { machineFailureCode, type ProcessEntry, processEntry } from './process-entry'
import { readingsOf } from './process-messages'
import { createSemaphore } from './semaphore'

type Limits = { [Name in keyof (typeof fileLimits)['process']]: number }

export interface FileReaderOptions {
  /** Holds the tokenizer.json of the embedding model, by whose pieces a file is cut. */
  modelFolder: string
  log?: Logger
  /** What runs in place of the reader, for tests. */
  entry?: ProcessEntry
  limits?: Partial<Limits>
}

/**
 * Reads each file in a process of its own, two at once. Whatever a file does to that process (memory, time, a crash,
 * output without end) comes out as a refusal of the file.
 */
export function createFileReader({ modelFolder, log, entry, limits: given }: FileReaderOptions): FileReader {
  const limits: Limits = { ...fileLimits.process, ...given }
  const semaphore = createSemaphore(limits.concurrency)
  const closing = new AbortController()
  const atWork = new Set<LimitedProcess>()

  return {
    async *read(file, signal) {
      const either = AbortSignal.any([signal, closing.signal])
      const release = await semaphore.acquire(either)
      try {
        yield* readInProcess(file, either)
      } finally {
        release()
      }
    },
    async close() {
      closing.abort(new Error('The server is stopping.'))
      await Promise.all([...atWork].map(({ ended }) => ended))
    },
  }

  async function* readInProcess(file: FileToRead, signal: AbortSignal): AsyncGenerator<FileReading> {
    const request = JSON.stringify({ ...file, modelFolder })
    const { args, loaderBytes } = entry ?? processEntry('processes/read-file')
    const heapBytes = limits.heapBytes + loaderBytes
    const memoryBytes = limits.memoryBytes + loaderBytes
    const child = await startLimitedProcess(args, request, { ...limits, heapBytes, memoryBytes })
    atWork.add(child)
    signal.addEventListener('abort', child.kill)
    if (signal.aborted) child.kill()
    try {
      yield* readFrom(child, file, signal)
    } finally {
      signal.removeEventListener('abort', child.kill)
      child.kill()
      child.output.destroy()
      await child.ended
      atWork.delete(child)
    }
  }

  async function* readFrom(child: LimitedProcess, file: FileToRead, signal: AbortSignal): AsyncGenerator<FileReading> {
    const bounds = createBounds(limits, child)
    let fragments = 0
    for await (const reading of readingsOf(bounds.pieces())) {
      signal.throwIfAborted()
      if (reading === null) return yield refused('file-broken')
      if (reading.kind === 'fragments') fragments += reading.fragments.length
      if (fragments > limits.fragments) return yield refused('file-too-complex')
      yield reading
      if (reading.kind === 'end' || reading.kind === 'refused') return
    }
    const end = await child.ended
    signal.throwIfAborted()
    const isOver = bounds.isOver() || end.kind !== 'failed'
    if (!isOver && end.code === machineFailureCode) throw new Error(`A file could not be read here: ${end.said}`)
    log?.warn({ type: file.type, ...end, isOver }, 'A file ended the process that read it.')
    yield refused(isOver ? 'file-too-complex' : 'file-broken')
  }
}

/** Kills a process that is waited for too long, at once or in all, or says too much. */
function createBounds({ idleMs, totalMs, outputBytes }: Limits, child: LimitedProcess) {
  let isOver = false
  const end = () => {
    isOver = true
    child.kill()
  }

  async function* pieces(): AsyncGenerator<Buffer> {
    const output = child.output[Symbol.asyncIterator]()
    let leftMs = totalMs
    let leftBytes = outputBytes
    for (;;) {
      // Only while somebody waits for it: it waits for others, too.
      const began = performance.now()
      const timer = setTimeout(end, Math.max(0, Math.min(idleMs, leftMs)))
      const { done, value } = await output.next().finally(() => clearTimeout(timer))
      if (done) return
      leftMs -= performance.now() - began
      leftBytes -= value.length
      if (leftBytes < 0) end()
      yield value
    }
  }

  return { pieces, isOver: () => isOver }
}

function refused(reason: FileRefusal): FileReading {
  return { kind: 'refused', reason }
}
