import type { Provider } from '../../../contract/values/enumerations'
import type { ChatModel, ChatRequest } from '../../engine/ports/chat-model'
import { isProviderError } from '../../errors'

interface Log {
  debug(details: object, message: string): void
}

/** Logs each call of a model at the level debug: how long it took and what it used, never what was said. */
export function createLoggedModel(model: ChatModel, provider: Provider, log: Log): ChatModel {
  async function* stream(request: ChatRequest, signal: AbortSignal) {
    const started = performance.now()
    let firstTokenMs: number | null = null
    const facts: Record<string, unknown> = { provider, model: request.model }
    try {
      for await (const chunk of model.stream(request, signal)) {
        firstTokenMs ??= elapsed()
        if (chunk.kind === 'end') {
          const { stopReason, tokensInput, tokensOutput, responseId } = chunk
          Object.assign(facts, { stopReason, tokensInput, tokensOutput, responseId })
        }
        yield chunk
      }
    } catch (error) {
      facts.failure = isProviderError(error) ? error.providerFailure : 'unexpected'
      throw error
    } finally {
      log.debug({ ...facts, firstTokenMs, ms: elapsed(), stopped: signal.aborted }, 'A model provider was called.')
    }

    function elapsed(): number {
      return Math.round(performance.now() - started)
    }
  }
  return { stream }
}
