import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleForNode } from '../../scripts/lib/bundle.mjs'
import { fileLimits } from '../../server/engine/limits'
import type { ReadRequest, ReadResult } from './reading-process'
import type { Kind } from './samples'

/** Reads mutations in a process that is restarted when one of them ends it. */
export interface Reader {
  read(kind: Kind, bytes: Uint8Array): Promise<ReadResult>
  close(): Promise<void>
}

const modelFolder = 'models/all-MiniLM-L6-v2'
const bundle = 'node_modules/.cache/fuzz'
/** Limits after which the process is replaced: files read, and memory used. */
const maxFiles = 150
const maxResidentBytes = 300 * 1024 * 1024
const { heapBytes, memoryBytes, idleMs } = fileLimits.process
/**
 * The outcome of a file that is not read in time. The product refuses such a file as too complex. Only a PDF may take this
 * long, since some damaged fonts keep the PDF library busy for minutes.
 */
export const timedOut = `no answer after ${idleMs / 1000} s`
const stderrTailLength = 2_000

/** Bundles the reading process, since the TypeScript loader would take more memory than the reader. */
export async function prepareReaders(): Promise<void> {
  const entryPoints = { 'reading-process': 'tests/fuzz/reading-process.ts' }
  await bundleForNode({ entryPoints, outdir: bundle, splitting: true })
}

/** Bundles the product's reader process; resolves to the path. */
export async function bundleReader(): Promise<string> {
  const outdir = `${bundle}-product`
  await bundleForNode({ entryPoints: { 'read-file': 'workers/processes/read-file.ts' }, outdir, splitting: true })
  return join(outdir, 'read-file.js')
}

export async function createReader(): Promise<Reader> {
  const folder = await mkdtemp(join(tmpdir(), 'fuzz-'))
  let child: ChildProcess | null = null
  let files = 0
  let resident = 0
  let isNew = true
  let stderrTail = ''

  async function start(): Promise<ChildProcess> {
    files = 0
    resident = 0
    stderrTail = ''
    const started = fork(join(bundle, 'reading-process.js'), [modelFolder], {
      execArgv: [`--max-old-space-size=${heapBytes / 1024 / 1024}`],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { NODE_ENV: 'production', TZ: 'UTC' },
    })
    started.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderrTail = (stderrTail + text).slice(-stderrTailLength)
    })
    await Promise.race([once(started, 'message'), once(started, 'exit').then(() => fail(stderrTail))])
    return started
  }

  async function end(): Promise<void> {
    const ended = child
    child = null
    if (!ended || ended.exitCode !== null || ended.signalCode !== null) return
    ended.kill('SIGKILL')
    await once(ended, 'exit')
  }

  async function readOnce(kind: Kind, bytes: Uint8Array): Promise<ReadResult> {
    if (files >= maxFiles || resident > maxResidentBytes) await end()
    isNew = child === null
    child ??= await start()
    const path = join(folder, 'file')
    await writeFile(path, bytes)
    const answer = await ask(child, { path, kind })
    files++
    resident = answer.residentBytes
    if (answer.outcome === 'crash') answer.wrong.push(stderrTail)
    if (resident > memoryBytes) answer.wrong.push(`the process used ${Math.round(resident / 1024 / 1024)} MiB`)
    if (answer.outcome === 'crash' || answer.outcome === timedOut) await end()
    return answer
  }

  return {
    async read(kind, bytes) {
      const answer = await readOnce(kind, bytes)
      const isSuspect = answer.outcome === 'crash' || answer.residentBytes > memoryBytes
      if (!isSuspect || isNew) return answer
      // Earlier files may be the cause; the product reads each file in a process of its own.
      await end()
      return readOnce(kind, bytes)
    },
    async close() {
      await end()
      await rm(folder, { recursive: true })
    },
  }
}

function ask(child: ChildProcess, order: ReadRequest): Promise<ReadResult> {
  return new Promise((resolve) => {
    const isExcused = order.kind === 'pdf'
    const timer = setTimeout(() => finish(failed(timedOut, ...(isExcused ? [] : [timedOut]))), idleMs)
    const onExit = (code: number | null, signal: string | null) => finish(failed('crash', `${signal ?? code}`))
    function finish(answer: ReadResult): void {
      clearTimeout(timer)
      child.off('message', finish).off('exit', onExit)
      resolve(answer)
    }
    child.on('message', finish).on('exit', onExit)
    child.send(order)
  })
}

function failed(outcome: string, ...wrong: string[]): ReadResult {
  return { outcome, wrong, fragments: 0, ms: 0, residentBytes: 0 }
}

function fail(stderrTail: string): never {
  throw new Error(`The reading process did not start: ${stderrTail}`)
}
