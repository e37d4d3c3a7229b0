import type { SubmissionResult } from '@conform-to/react'
import { useEffect, useRef, useState } from 'react'
import type { PreviewEvent } from '../../../../contract/views/preview'
import { paths } from '../../../paths'
import { readEvents } from '../../ui/browser/event-reader'
import { followRedirect } from '../../ui/browser/session'
import { readProblem } from '../read-problem'
import { applyEvents, initialPreview, type PreviewState } from './state'

/** Time between two renderings of the events that have arrived. */
const renderIntervalMs = 150
const unexpected = 'The preview was interrupted. Try again.'

/**
 * Runs the preview of a source's form. The fields are sent in the body, so that no URL contains them. Errors of fields
 * are returned as `result`, for the form to show.
 */
export function usePreview(collectionId: string) {
  const [preview, setPreview] = useState<PreviewState | null>(null)
  const [outdated, setOutdated] = useState(false)
  const [result, setResult] = useState<SubmissionResult<string[]>>()
  const running = useRef<AbortController | null>(null)

  useEffect(() => () => running.current?.abort(), [])

  async function start(form: HTMLFormElement) {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    const change = (update: (now: PreviewState) => PreviewState) => {
      if (running.current === controller) setPreview((now) => now && update(now))
    }
    const fail = (failure: string) => change((now) => ({ ...now, phase: 'failed', failure }))
    setPreview(initialPreview)
    setOutdated(false)
    setResult({ error: {} })
    try {
      const response = await fetch(paths.collectionPreview(collectionId), {
        method: 'POST',
        body: new FormData(form),
        headers: { Accept: 'text/event-stream' },
        signal: controller.signal,
      })
      if (!response.ok) {
        const { message, errors } = await readProblem(response, unexpected)
        if (!errors) return fail(message)
        setPreview(null)
        return setResult({ status: 'error', error: errors })
      }
      if (!response.body || !response.headers.get('Content-Type')?.startsWith('text/event-stream')) {
        // Another page has responded: the session has ended, or the person may not be here.
        fail(unexpected)
        return followRedirect(controller.signal)
      }
      await readInto(response.body, change)
      change((now) => (now.phase === 'running' ? { ...now, phase: 'failed', failure: unexpected } : now))
    } catch {
      if (!controller.signal.aborted) fail(unexpected)
    }
  }

  function stop() {
    running.current?.abort()
    running.current = null
    setPreview((now) => now && { ...now, phase: 'stopped' })
  }

  /** Call when the form is sent: from then on its own response has the errors. */
  function finish() {
    running.current?.abort()
    setResult(undefined)
  }

  return { preview, outdated, result, start, stop, finish, changed: () => setOutdated(true) }
}

/** Applies events in batches: a large site reports thousands of addresses in a second. */
async function readInto(
  body: ReadableStream<Uint8Array>,
  change: (update: (now: PreviewState) => PreviewState) => void,
): Promise<void> {
  let batch: PreviewEvent[] = []
  const timer = setInterval(flush, renderIntervalMs)
  try {
    for await (const event of readEvents<PreviewEvent>(body)) batch.push(event)
  } finally {
    clearInterval(timer)
    flush()
  }

  function flush() {
    if (batch.length === 0) return
    const events = batch
    batch = []
    change((now) => applyEvents(now, events))
  }
}
