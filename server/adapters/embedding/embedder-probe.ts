import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { processEntry } from '../file-reading/process-entry'
import { readModelSettings } from './model-settings'
import { disableTelemetry } from './telemetry'

export type ProbeResult = { ok: true } | { ok: false /** A sentence for the operator. */; reason: string }

const longestProbeMs = 60_000

/**
 * Whether the embedding runtime works on this machine, tried in a child process: where it does not, it may take its
 * process down with it. Never rejects.
 */
export function probeEmbedder(modelFolder: string, { timeoutMs = longestProbeMs } = {}): Promise<ProbeResult> {
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
    let said = ''
    let late = false
    const timer = setTimeout(() => {
      late = true
      child.kill('SIGKILL')
    }, timeoutMs)
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(0, 2_000)
    })
    child.on('error', (error) =>
      end({ ok: false, reason: `The embedding runtime could not be tried: ${error.message}.` }),
    )
    child.on('close', (code, signal) => {
      if (code === 0) return end({ ok: true })
      if (late) return end({ ok: false, reason: `The embedding runtime did not answer within ${timeoutMs / 1000} s.` })
      if (signal)
        return end({
          ok: false,
          reason: `The embedding runtime does not work on this machine: it ended with ${signal}.`,
        })
      const [line = ''] = said.trim().split('\n')
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
