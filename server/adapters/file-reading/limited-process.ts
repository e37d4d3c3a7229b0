import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'

export interface ProcessLimits {
  heapBytes: number
  /** Resident. */
  memoryBytes: number
  /** Of processor time. */
  totalMs: number
}

/** How a process ended by itself or by the system; 'memory' where it took more than it may have. */
export type ProcessEnd = { kind: 'memory' } | { kind: 'time' } | { kind: 'failed'; code: number | null; said: string }

export interface LimitedProcess {
  /** Read at the pace of whoever reads. */
  output: Readable
  /** Resolves when it is gone. */
  ended: Promise<ProcessEnd>
  kill(): void
}

const memoryWatchMs = 250
/** Beside what may be resident: what the runtime reserves, and what grows between two looks. */
const reservedBytes = 256 * 1024 * 1024
const niceness = 10
/** Characters of the error channel: those that are kept, and so many that nobody listens any more. */
const keptSaying = 2_000
const mostSaying = 100_000
const prlimit = ['/usr/bin/prlimit', '/bin/prlimit'].find((path) => process.platform === 'linux' && existsSync(path))
const run = promisify(execFile)

/**
 * Runs node with `args` and one line of input, in a low priority, with no secrets in its environment and bounds on its
 * memory and processor time. Its input stays open: it ends when we do. Rejects where no process can be started.
 */
export async function startLimitedProcess(
  args: string[],
  input: string,
  limits: ProcessLimits,
): Promise<LimitedProcess> {
  const [command = process.execPath, ...rest] = commandLine(args, limits)
  // Dates of a file are the same wherever it is read.
  const child = spawn(command, rest, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { NODE_ENV: 'production', TZ: 'UTC' },
    windowsHide: true,
  })
  await once(child, 'spawn')
  const { pid = 0, stdin, stdout, stderr } = child
  const kill = () => void child.kill('SIGKILL')
  const tail = keepTail(stderr)
  // It may be gone before it has read.
  stdin.on('error', () => {})
  stdin.write(`${input}\n`)
  lowerPriority(pid)
  const watch = watchMemory(pid, limits.memoryBytes, kill)
  const ended = once(child, 'close').then(([code, signal]): ProcessEnd => {
    watch.stop()
    if (watch.isOver()) return { kind: 'memory' }
    return endOf(code, signal, tail())
  })
  return { output: stdout, ended, kill }
}

function commandLine(args: string[], { heapBytes, memoryBytes, totalMs }: ProcessLimits): string[] {
  const node = [process.execPath, `--max-old-space-size=${Math.floor(heapBytes / 1024 / 1024)}`, ...args]
  if (!prlimit) return node
  // The address space cannot be bounded: the runtime reserves much more of it than it uses.
  const seconds = Math.ceil(totalMs / 1000)
  const bounds = [`--data=${memoryBytes + reservedBytes}`, `--cpu=${seconds}:${seconds + 5}`, '--core=0']
  return [prlimit, ...bounds, ...node]
}

function keepTail(stderr: Readable): () => string {
  let tail = ''
  let length = 0
  stderr.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-keptSaying)
    length += text.length
    if (length > mostSaying) stderr.destroy()
  })
  return () => tail
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, niceness)
  } catch {
    // It has ended, or the system does not allow it.
  }
}

function watchMemory(pid: number, most: number, kill: () => void) {
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const look = async () => {
    const resident = await residentBytes(pid).catch(() => 0)
    if (stopped) return
    isOver = resident > most
    if (isOver) return kill()
    timer = setTimeout(look, memoryWatchMs)
  }
  timer = setTimeout(look, memoryWatchMs)
  return {
    isOver: () => isOver,
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}

async function residentBytes(pid: number): Promise<number> {
  const kibibytes =
    process.platform === 'linux'
      ? /^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]
      : (await run('ps', ['-o', 'rss=', '-p', String(pid)])).stdout.trim()
  return Number(kibibytes ?? 0) * 1024
}

/** The runtime aborts where its heap is full or memory is refused to it; the system ends what used up its time. */
function endOf(code: number | null, signal: NodeJS.Signals | null, said: string): ProcessEnd {
  if (signal === 'SIGXCPU') return { kind: 'time' }
  if (signal === 'SIGABRT' || signal === 'SIGKILL' || /out of memory|allocation failed/i.test(said)) {
    return { kind: 'memory' }
  }
  return { kind: 'failed', code, said: said.trim() || `It ended with ${signal ?? `code ${code}`}.` }
}
