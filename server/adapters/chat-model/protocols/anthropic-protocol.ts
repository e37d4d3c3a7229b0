import type Anthropic from '@anthropic-ai/sdk'
import type { StopReason } from '../../../engine/ports/chat-model'
import { type ProtocolRequest, type StreamPart, temperature } from './protocol'

/** Anthropic's messages. */
export async function openAnthropicStream(request: ProtocolRequest): Promise<AsyncIterable<StreamPart>> {
  const { default: Anthropic } = await import('@anthropic-ai/sdk')
  const client = new Anthropic({
    apiKey: request.apiKey,
    baseURL: request.baseUrl,
    fetch: request.fetch,
    maxRetries: 0,
    // Keeps the SDK from reading the environment, from tracing, and from writing to the console.
    webhookKey: null,
    openTelemetry: false,
    logLevel: 'off',
  })
  const body: Anthropic.MessageCreateParamsStreaming = {
    model: request.model,
    max_tokens: request.maxOutputTokens,
    system: request.messages.flatMap(({ role, content }) => (role === 'system' ? [content] : [])).join('\n\n'),
    messages: request.messages.flatMap(({ role, content }) => (role === 'system' ? [] : [{ role, content }])),
    stream: true,
    ...(request.dialect.temperature ? { temperature } : {}),
  }
  // `messages.create` writes a warning about each old model to the console.
  const events = await client.post<AsyncIterable<Anthropic.RawMessageStreamEvent>>('/v1/messages', {
    body,
    stream: true,
    signal: request.signal,
  })
  return partsOf(events)
}

async function* partsOf(events: AsyncIterable<Anthropic.RawMessageStreamEvent>): AsyncGenerator<StreamPart> {
  for await (const event of events) {
    if (event.type === 'message_start') {
      const { id, usage } = event.message
      yield { responseId: id, ...(usage ? { tokensInput: inputTokens(usage), tokensOutput: usage.output_tokens } : {}) }
    } else if (event.type === 'content_block_start') {
      yield event.content_block.type === 'text' ? { text: event.content_block.text } : { isReasoning: true }
    } else if (event.type === 'content_block_delta') {
      yield event.delta.type === 'text_delta' ? { text: event.delta.text } : { isReasoning: true }
    } else if (event.type === 'message_delta') {
      const reason = event.delta.stop_reason
      yield {
        ...(reason ? { stopReason: stopOf(reason) } : {}),
        ...(event.usage ? { tokensOutput: event.usage.output_tokens } : {}),
      }
    } else yield {}
  }
}

/** Tokens that were read from or written to the prompt cache are counted apart. */
function inputTokens(usage: Anthropic.Usage): number {
  return usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0)
}

function stopOf(reason: string): StopReason {
  if (reason === 'max_tokens' || reason === 'model_context_window_exceeded') return 'length'
  return reason === 'refusal' ? 'filtered' : 'complete'
}
