import { useEffect, useRef, useState } from 'react'
import type { DiagnosisEvent } from '../../../contract/views/chat/embed-diagnosis'
import { paths } from '../../paths'
import { readProblem } from '../sources/read-problem'
import { readEvents } from '../ui/browser/event-reader'
import { followRedirect } from '../ui/browser/session'

export type DiagnosisState = DiagnosisEvent | { kind: 'stopped' }

const interrupted = 'The check was interrupted. Try again.'

/** Runs the embed doctor with the fields of a form. `initial` is the result of a form that was sent without a script. */
export function useDiagnosis(agentId: string, initial: DiagnosisState | null) {
  const [state, setState] = useState<DiagnosisState | null>(initial)
  const running = useRef<AbortController | null>(null)

  useEffect(() => () => running.current?.abort(), [])

  async function start(form: HTMLFormElement) {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    const show = (next: DiagnosisState) => {
      if (running.current === controller) setState(next)
    }
    show({ kind: 'step', step: 'page' })
    try {
      const response = await fetch(paths.agentDiagnosis(agentId), {
        method: 'POST',
        body: new FormData(form),
        signal: controller.signal,
      })
      if (!response.ok) {
        const { message, errors } = await readProblem(response, interrupted)
        return show({ kind: 'failed', message: errors?.site?.join(' ') ?? message })
      }
      if (!response.body || !response.headers.get('Content-Type')?.startsWith('text/event-stream')) {
        // Another page has responded: the session has ended, or the person may not be here.
        show({ kind: 'failed', message: interrupted })
        return followRedirect(controller.signal)
      }
      let isEnded = false
      for await (const event of readEvents<DiagnosisEvent>(response.body)) {
        isEnded = event.kind !== 'step'
        show(event)
      }
      if (!isEnded) show({ kind: 'failed', message: interrupted })
    } catch {
      if (!controller.signal.aborted) show({ kind: 'failed', message: interrupted })
    }
  }

  function stop() {
    running.current?.abort()
    running.current = null
    setState({ kind: 'stopped' })
  }

  return { state, start, stop }
}
