import { useEffect, useRef, useState } from 'react'
import type { SimpleChatView } from '../../../contract/views/chat/thread'

export type SmartSearchState =
  | { kind: 'idle' }
  | { kind: 'asking' }
  | { kind: 'answered'; view: SimpleChatView }
  | { kind: 'failed'; message: string }

const unreachable = 'The server could not be reached. Try again.'

/** Asks an agent with its public key, as a page of a visitor does. A new question ends the one before. */
export function useSmartSearch(publicKey: string | null) {
  const [state, setState] = useState<SmartSearchState>({ kind: 'idle' })
  const running = useRef<AbortController>()
  useEffect(() => () => running.current?.abort(), [])

  async function ask(prompt: string): Promise<void> {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    setState({ kind: 'asking' })
    const answered = await post(publicKey ?? '', prompt, controller.signal).catch(
      (): SmartSearchState => ({ kind: 'failed', message: unreachable }),
    )
    if (!controller.signal.aborted) setState(answered)
  }

  return { state, ask }
}

async function post(key: string, prompt: string, signal: AbortSignal): Promise<SmartSearchState> {
  const response = await fetch('/v1/chat/simple', {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ prompt }),
    credentials: 'omit',
    signal,
  })
  const body = await response.json()
  if (response.ok) return { kind: 'answered', view: body }
  return { kind: 'failed', message: typeof body.message === 'string' ? body.message : unreachable }
}
