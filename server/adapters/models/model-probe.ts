import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import type { ModelKind } from '../../../contract/views/model'
import { disableTelemetry } from '../embedding/telemetry'
import { processEntry } from '../file-reading/process-entry'
import { readSettings } from './model-folder'

export type ProbeResult =
  | { ok: true }
  | {
      ok: false
      /** A sentence for the operator. */
      reason: string
      /** Whether the process was asked to end meanwhile, which says nothing about the runtime. */
      isStopped?: true
    }

interface ProbeOptions {
  timeoutMs?: number
  kind?: ModelKind
  signal?: AbortSignal
}

const names: Record<ModelKind, string> = { embedding: 'an embedding model', reranker: 'a reranker' }
const defaultTimeoutMs = 60_000

/**
 * Tests in a child process whether the runtime works on this machine with a model, because a runtime that does not may crash
 * its process. `kind` is what the model must be for; it may be anything if omitted. Ends when `signal` aborts. Never rejects.
 */
export function probeModel(
  modelFolder: string,
  { timeoutMs = defaultTimeoutMs, kind, signal: stop }: ProbeOptions = {},
): Promise<ProbeResult> {
  disableTelemetry()
  const folder = resolve(modelFolder)
  try {
    const settings = readSettings(folder)
    if (kind && settings.kind !== kind)
      throw new Error(`The model in ${folder} is ${names[settings.kind]}, not ${names[kind]}.`)
  } catch (error) {
    return Promise.resolve({ ok: false, reason: error instanceof Error ? error.message : String(error) })
  }

  return new Promise((done) => {
    const child = spawn(process.execPath, [...processEntry('threads/probe-model').args, folder], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const onStop = () => child.kill('SIGTERM')
    stop?.addEventListener('abort', onStop)
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
      // Ctrl-C in a terminal reaches the child as well.
      if (signal === 'SIGTERM' || signal === 'SIGINT')
        return end({ ok: false, reason: 'The test of the embedding runtime was stopped.', isStopped: true })
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
      stop?.removeEventListener('abort', onStop)
      done(result)
    }
  })
}
