import type { ChatInput } from '../../contract/chat/thread'
import type { ChatEvent } from '../../contract/views/chat/thread'
import { type LocalServer, localFailureSchema } from '../../server/local-server'
import type { AgentRef } from '../../server/services/agents/agents'
import { CommandError } from '../io'

/** Lets the server answer, which may have what this command's environment lacks: keys of providers, a network. */
export async function* askServer(
  { address, token }: LocalServer,
  ref: AgentRef,
  input: ChatInput,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent> {
  const response = await fetch(`${address}/local/ask`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...ref, input }),
    signal,
  })
  for await (const line of linesOf(response)) {
    const value: unknown = JSON.parse(line)
    const failed = localFailureSchema.safeParse(value)
    if (failed.success) throw new CommandError(failed.data.failure.message)
    yield value as ChatEvent
  }
}

async function* linesOf({ body }: Response): AsyncGenerator<string> {
  let text = ''
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    yield* lines.filter((line) => line !== '')
  }
  if (text !== '') yield text
}
