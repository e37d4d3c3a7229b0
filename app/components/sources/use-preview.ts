import type { SubmissionResult } from '@conform-to/react'
import { useEffect, useRef, useState } from 'react'
import type { PreviewEvent } from '../../../contract/views/preview'
import { paths } from '../../paths'
import { readEvents } from '../ui/event-reader'
import { afterEvents, type PreviewState, startedPreview } from './preview-state'
import { problemOf } from './problem-of'

/** Between two paintings of what has come, in milliseconds. */
const paint = 150
const unforeseen = 'The preview broke off. Try again.'

/**
 * A look at what a source would take in. The form's fields are sent in the body alone, so that nothing of them stands in
 * an address. What is wrong with them comes back as `result`, for the form to show.
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
    setPreview(startedPreview)
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
        const { message, errors } = await problemOf(response, unforeseen)
        if (!errors) return fail(message)
        setPreview(null)
        return setResult({ status: 'error', error: errors })
      }
      if (!response.body || !response.headers.get('Content-Type')?.startsWith('text/event-stream')) {
        // The session has ended and another page has answered: loading this one anew leads there.
        window.location.reload()
        return
      }
      await readInto(response.body, change)
      change((now) => (now.phase === 'running' ? { ...now, phase: 'failed', failure: unforeseen } : now))
    } catch {
      if (!controller.signal.aborted) fail(unforeseen)
    }
  }

  function stop() {
    running.current?.abort()
    running.current = null
    setPreview((now) => now && { ...now, phase: 'stopped' })
  }

  /** The form is sent: what is wrong with it is told by its own answer from now on. */
  function leave() {
    running.current?.abort()
    setResult(undefined)
  }

  return { preview, outdated, result, start, stop, leave, changed: () => setOutdated(true) }
}

/** A large site tells of thousands of addresses in a second: they are painted together. */
async function readInto(
  body: ReadableStream<Uint8Array>,
  change: (update: (now: PreviewState) => PreviewState) => void,
): Promise<void> {
  let waiting: PreviewEvent[] = []
  const timer = setInterval(flush, paint)
  try {
    for await (const event of readEvents<PreviewEvent>(body)) waiting.push(event)
  } finally {
    clearInterval(timer)
    flush()
  }

  function flush() {
    if (waiting.length === 0) return
    const events = waiting
    waiting = []
    change((now) => afterEvents(now, events))
  }
}
