import type { Provider } from '../../../contract/values/enumerations'
import type { ChatModel, ChatRequest } from '../../engine/ports/chat-model'
import type { ProviderCall, Telemetry } from '../../engine/ports/telemetry'
import { isProviderError } from '../../errors'

interface Deps {
  log: { debug(details: object, message: string): void }
  telemetry: Pick<Telemetry, 'stream' | 'providerCalled'>
}

/**
 * Measures each call of a model: how long it took, what it used, why it failed; never what was said. The log gets the same at
 * the level debug.
 */
export function createMeasuredModel(model: ChatModel, provider: Provider, { log, telemetry }: Deps): ChatModel {
  async function* measured(request: ChatRequest, signal: AbortSignal) {
    const startedAt = performance.now()
    const elapsedMs = () => Math.round(performance.now() - startedAt)
    let end = { stopReason: null as string | null, responseId: null as string | null }
    const call: Omit<ProviderCall, 'durationMs'> = {
      provider,
      outcome: 'stopped',
      firstTokenMs: null,
      tokensInput: null,
      tokensOutput: null,
    }
    try {
      for await (const chunk of model.stream(request, signal)) {
        call.firstTokenMs ??= elapsedMs()
        if (chunk.kind === 'end') {
          const { stopReason, responseId, tokensInput, tokensOutput } = chunk
          end = { stopReason, responseId }
          Object.assign(call, { outcome: 'complete', tokensInput, tokensOutput })
        }
        yield chunk
      }
    } catch (error) {
      if (!signal.aborted) call.outcome = isProviderError(error) ? error.providerFailure : 'unexpected'
      throw error
    } finally {
      const done = { ...call, durationMs: elapsedMs() }
      telemetry.providerCalled(done)
      log.debug({ ...done, ...end, model: request.model }, 'A model provider was called.')
    }
  }

  return {
    stream: (request, signal) =>
      telemetry.stream('provider', measured(request, signal), { provider, model: request.model }),
  }
}
