import { stat } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { FileReader, FileReading, FileRefusal, FileToRead } from '../../engine/documents/ports'
import { fileLimits } from '../../engine/limits'
import { type LimitedProcess, startLimitedProcess } from './limited-process'
import { machineFailureCode, type ProcessEntry, processEntry } from './process-entry'
import { readingsOf } from './process-messages'
import { createSemaphore } from './semaphore'

const mebibyte = 1024 * 1024

type Limits = { [Name in keyof (typeof fileLimits)['process']]: number }

export interface FileReaderOptions {
  /** Folder with the embedding model's tokenizer.json, which chunking uses. */
  modelFolder: string
  log?: Logger
  /** Replaces the reader process in tests. */
  entry?: ProcessEntry
  limits?: Partial<Limits>
}

/**
 * Reads each file in a process of its own, two at a time. Excessive memory, time or output, and crashes, become a
 * refusal of the file.
 */
export function createFileReader({ modelFolder, log, entry, limits: changed }: FileReaderOptions): FileReader {
  const limits: Limits = { ...fileLimits.process, ...changed }
  const semaphore = createSemaphore(limits.concurrency)
  const closing = new AbortController()
  const running = new Set<LimitedProcess>()

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
      await Promise.all([...running].map(({ ended }) => ended))
    },
  }

  async function* readInProcess(file: FileToRead, signal: AbortSignal): AsyncGenerator<FileReading> {
    const request = JSON.stringify({ ...file, modelFolder })
    const { args, loaderBytes, loaderMs } = entry ?? processEntry('processes/read-file')
    const heapBytes = limits.heapBytes + loaderBytes
    const memoryBytes = limits.memoryBytes + loaderBytes
    const processorMs = loaderMs + (await processorTimeFor(file))
    const child = await startLimitedProcess(args, request, { heapBytes, memoryBytes, processorMs })
    running.add(child)
    signal.addEventListener('abort', child.kill)
    if (signal.aborted) child.kill()
    try {
      yield* readFrom(child, file, signal)
    } finally {
      signal.removeEventListener('abort', child.kill)
      child.kill()
      child.output.destroy()
      await child.ended
      running.delete(child)
    }
  }

  /** A small archive that unpacks to a large one must not keep others waiting for minutes. */
  async function processorTimeFor({ path, type }: FileToRead): Promise<number> {
    const { totalMs, archiveMs, archiveMsPerMebibyte } = limits
    if (type !== 'xlsx' && type !== 'docx' && type !== 'pptx') return totalMs
    // The process reports a missing file.
    const { size } = await stat(path).catch(() => ({ size: 0 }))
    return Math.min(totalMs, archiveMs + (archiveMsPerMebibyte * size) / mebibyte)
  }

  async function* readFrom(child: LimitedProcess, file: FileToRead, signal: AbortSignal): AsyncGenerator<FileReading> {
    const bounds = createBounds(limits, child)
    let fragments = 0
    for await (const reading of readingsOf(bounds.chunks())) {
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
    if (!isOver && end.code === machineFailureCode)
      throw new Error(`Reading a file failed on this machine: ${end.stderr}`)
    log?.warn({ type: file.type, ...end, isOver }, 'A file terminated the process that read it.')
    yield refused(isOver ? 'file-too-complex' : 'file-broken')
  }
}

/** Kills a process that makes no progress, takes too long in all, or produces too much output. */
function createBounds({ idleMs, totalMs, outputBytes }: Limits, child: LimitedProcess) {
  let isOver = false
  const end = () => {
    isOver = true
    child.kill()
  }

  async function* chunks(): AsyncGenerator<Buffer> {
    const output = child.output[Symbol.asyncIterator]()
    let remainingMs = totalMs
    let remainingBytes = outputBytes
    for (;;) {
      // Counts only while the consumer waits for output, since the process waits for the consumer, too.
      const startedAt = performance.now()
      const timer = setTimeout(end, Math.max(0, Math.min(idleMs, remainingMs)))
      const { done, value } = await output.next().finally(() => clearTimeout(timer))
      if (done) return
      remainingMs -= performance.now() - startedAt
      remainingBytes -= value.length
      if (remainingBytes < 0) end()
      yield value
    }
  }

  return { chunks, isOver: () => isOver }
}

function refused(reason: FileRefusal): FileReading {
  return { kind: 'refused', reason }
}
