import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { startProgress } from './progress.mjs'

/** A failed step, with a message for the terminal. */
export class StepError extends Error {}

/**
 * Runs a command with its output in a log file and one line of progress. Ctrl-C ends the command and this process.
 * @param {{ label: string, command: string, args: string[], log: string, env?: Record<string, string>, detail?: () => string, shell?: boolean }} step
 * @returns {Promise<void>} rejects with a StepError that names the log and shows its end
 */
export async function runQuietly({ label, command, args, log, env, detail, shell }) {
  mkdirSync(dirname(log), { recursive: true })
  const output = openSync(log, 'w')
  const end = startProgress(label, detail)
  const child = spawn(command, args, {
    stdio: ['ignore', output, output],
    env: { ...process.env, ...env },
    shell,
    // Its own process group, so that a compiler that npm started ends with it.
    detached: process.platform !== 'win32',
  })
  const stop = stopWith(child)
  try {
    const code = await new Promise((resolve) => {
      child.once('error', (error) => resolve(error.message))
      child.once('exit', (exit, signal) => resolve(exit ?? signal))
    })
    end(code === 0 ? 'done' : 'failed')
    if (code !== 0) throw new StepError(`${excerptOf(log)}\n\n${label} failed (${code}). All of its output: ${log}`)
  } finally {
    closeSync(output)
    stop()
  }
}

/**
 * Forwards SIGINT and SIGTERM to a child and its descendants, and ends with it. A child that does not end within three
 * seconds is killed: the next start repeats what it left unfinished.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {() => void} removes the handlers
 */
function stopWith(child) {
  /** @param {NodeJS.Signals} signal */
  const send = (signal) => {
    if (process.platform === 'win32' || child.pid === undefined) child.kill(signal)
    else process.kill(-child.pid, signal)
  }
  /** @param {NodeJS.Signals} signal */
  const handle = (signal) => {
    child.once('exit', () => {
      process.stderr.write('\nStopped.\n')
      process.exit(signal === 'SIGINT' ? 130 : 143)
    })
    send(signal)
    setTimeout(() => send('SIGKILL'), 3000).unref()
  }
  process.once('SIGINT', handle).once('SIGTERM', handle)
  return () => void process.off('SIGINT', handle).off('SIGTERM', handle)
}

/**
 * The part of a failed step's log to show: from the first error on, or its end.
 * @param {string} log
 */
function excerptOf(log) {
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n')
  const first = lines.findIndex((line) => /error|✗/i.test(line) && !line.startsWith('npm warn'))
  return (first < 0 ? lines.slice(-20) : lines.slice(first, first + 20)).join('\n')
}

/**
 * Runs a starter. An error ends the process with code 1 and its message instead of a stack.
 * @param {() => Promise<void>} work
 */
export async function start(work) {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof StepError)) throw error
    process.stderr.write(`\n${error.message}\n`)
    process.exit(1)
  }
}
