import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'

export interface ProcessLimits {
  heapBytes: number
  /** Resident set size. */
  memoryBytes: number
  processorMs: number
}

/** How a process ended: 'memory' and 'time' if it exceeded a limit, else 'failed'. */
export type ProcessEnd = { kind: 'memory' } | { kind: 'time' } | { kind: 'failed'; code: number | null; stderr: string }

export interface LimitedProcess {
  /** Produced at the pace of the consumer. */
  output: Readable
  /** Resolves when the process has exited. */
  ended: Promise<ProcessEnd>
  kill(): void
}

const memoryCheckMs = 250
const mebibyte = 1024 * 1024
/** Range that V8 maps writable for its compiled code from version 13 (Node 24) on, so that it counts as data. */
const codeRangeBytes = Number.parseInt(process.versions.v8, 10) < 13 ? 0 : 512 * mebibyte
/** Memory on top of the resident limit: what the runtime reserves, and growth between two checks. */
const reservedBytes = codeRangeBytes + 256 * mebibyte
const niceness = 10
/** Characters of stderr that are kept, and after which stderr is closed. */
const stderrTailLength = 2_000
const maxStderrLength = 100_000
const prlimit = ['/usr/bin/prlimit', '/bin/prlimit'].find((path) => process.platform === 'linux' && existsSync(path))
const run = promisify(execFile)

/**
 * Runs node with `args` and one line of input, with low priority, without secrets in its environment, and with limits
 * of memory and processor time. Its stdin stays open, so it ends when this process does. Rejects if it cannot be
 * started.
 */
export async function startLimitedProcess(
  args: string[],
  input: string,
  limits: ProcessLimits,
): Promise<LimitedProcess> {
  const [command = process.execPath, ...rest] = commandLine(args, limits)
  // With UTC, dates in files do not depend on the machine.
  const child = spawn(command, rest, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { NODE_ENV: 'production', TZ: 'UTC' },
    windowsHide: true,
  })
  await once(child, 'spawn')
  const { pid = 0, stdin, stdout, stderr } = child
  const kill = () => void child.kill('SIGKILL')
  const errors = watchErrors(stderr)
  // The process may exit before it reads.
  stdin.on('error', () => {})
  stdin.write(`${input}\n`)
  lowerPriority(pid)
  const watch = watchMemory(pid, limits.memoryBytes, kill)
  const ended = once(child, 'close').then(([code, signal]): ProcessEnd => {
    watch.stop()
    if (watch.isOver()) return { kind: 'memory' }
    return endOf(code, signal, errors)
  })
  return { output: stdout, ended, kill }
}

function commandLine(args: string[], { heapBytes, memoryBytes, processorMs }: ProcessLimits): string[] {
  const node = [process.execPath, `--max-old-space-size=${Math.floor(heapBytes / mebibyte)}`, ...args]
  if (!prlimit) return node
  // Address space is not limited: the runtime reserves much more of it than it uses.
  const seconds = Math.ceil(processorMs / 1000)
  const limitArgs = [`--data=${memoryBytes + reservedBytes}`, `--cpu=${seconds}:${seconds + 5}`, '--core=0']
  return [prlimit, ...limitArgs, ...node]
}

interface Errors {
  /** The last characters of stderr. */
  tail: string
  /** Whether the runtime reported that it had no memory: ahead of a stack trace that may fill the tail. */
  isOutOfMemory: boolean
}

function watchErrors(stderr: Readable): Errors {
  const errors: Errors = { tail: '', isOutOfMemory: false }
  let length = 0
  stderr.setEncoding('utf8').on('data', (text: string) => {
    const unread = errors.tail + text
    errors.isOutOfMemory ||= /out of memory|allocation failed/i.test(unread)
    errors.tail = unread.slice(-stderrTailLength)
    length += text.length
    if (length > maxStderrLength) stderr.destroy()
  })
  return errors
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, niceness)
  } catch {
    // It has exited, or the system does not allow it.
  }
}

function watchMemory(pid: number, maxBytes: number, kill: () => void) {
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const check = async () => {
    const resident = await residentBytes(pid).catch(() => 0)
    if (stopped) return
    isOver = resident > maxBytes
    if (isOver) return kill()
    timer = setTimeout(check, memoryCheckMs)
  }
  timer = setTimeout(check, memoryCheckMs)
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

/** The runtime aborts if its heap is full or it cannot allocate; the system kills a process over its processor time. */
function endOf(code: number | null, signal: NodeJS.Signals | null, { tail, isOutOfMemory }: Errors): ProcessEnd {
  if (signal === 'SIGXCPU') return { kind: 'time' }
  if (signal === 'SIGABRT' || signal === 'SIGKILL' || isOutOfMemory) return { kind: 'memory' }
  return { kind: 'failed', code, stderr: tail.trim() || `It exited with ${signal ?? `code ${code}`}.` }
}
