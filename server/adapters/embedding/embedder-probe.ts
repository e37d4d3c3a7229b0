import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { processEntry } from '../file-reading/process-entry'
import { readModelSettings } from './model-settings'
import { disableTelemetry } from './telemetry'

export type ProbeResult = { ok: true } | { ok: false /** A sentence for the operator. */; reason: string }

const defaultTimeoutMs = 60_000

/**
 * Tests in a child process whether the embedding runtime works on this machine, because a runtime that does not may crash
 * its process. Never rejects.
 */
export function probeEmbedder(modelFolder: string, { timeoutMs = defaultTimeoutMs } = {}): Promise<ProbeResult> {
  disableTelemetry()
  const folder = resolve(modelFolder)
  try {
    readModelSettings(folder)
  } catch (error) {
    return Promise.resolve({ ok: false, reason: error instanceof Error ? error.message : String(error) })
  }

  return new Promise((done) => {
    const child = spawn(process.execPath, [...processEntry('threads/probe-embedder').args, folder], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let output = ''
    let isTimedOut = false
    const timer = setTimeout(() => {
      isTimedOut = true
      child.kill('SIGKILL')
    }, timeoutMs)
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(0, 2_000)
    })
    child.on('error', (error) =>
      end({ ok: false, reason: `The embedding runtime could not be tested: ${error.message}.` }),
    )
    child.on('close', (code, signal) => {
      if (code === 0) return end({ ok: true })
      if (isTimedOut)
        return end({ ok: false, reason: `The embedding runtime did not answer within ${timeoutMs / 1000} s.` })
      if (signal)
        return end({
          ok: false,
          reason: `The embedding runtime does not work on this machine: it ended with ${signal}.`,
        })
      const [line = ''] = output.trim().split('\n')
      end({
        ok: false,
        reason: `The embedding runtime could not be loaded: ${line.replace(/\.$/, '') || `it ended with code ${code}`}.`,
      })
    })

    function end(result: ProbeResult) {
      clearTimeout(timer)
      done(result)
    }
  })
}
