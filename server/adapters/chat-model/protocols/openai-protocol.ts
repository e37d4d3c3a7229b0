import type OpenAI from 'openai'
import type { StopReason } from '../../../engine/ports/chat-model'
import { createOpenAiClient } from './openai-client'
import { type ProtocolRequest, type StreamPart, temperature } from './protocol'

type Delta = OpenAI.ChatCompletionChunk.Choice.Delta & {
  /** Reasoning of DeepSeek and vLLM. */
  reasoning_content?: string | null
  /** Reasoning of Ollama and OpenRouter. */
  reasoning?: string | null
}

/** Chat completions, which OpenAI, DeepSeek and most servers of one's own speak. */
export async function openOpenAiStream(request: ProtocolRequest): Promise<AsyncIterable<StreamPart>> {
  const { dialect } = request
  const client = await createOpenAiClient(request)
  const chunks = await client.chat.completions.create(
    {
      model: request.model,
      messages: request.messages,
      [dialect.limit]: request.maxOutputTokens,
      stream: true,
      ...(dialect.temperature ? { temperature } : {}),
      ...(dialect.usage ? { stream_options: { include_usage: true } } : {}),
    },
    { signal: request.signal },
  )
  return partsOf(chunks)
}

async function* partsOf(chunks: AsyncIterable<OpenAI.ChatCompletionChunk>): AsyncGenerator<StreamPart> {
  for await (const { id, choices, usage } of chunks) {
    const [choice] = choices ?? []
    const delta: Delta | undefined = choice?.delta
    yield {
      ...(id ? { responseId: id } : {}),
      ...(delta?.content ? { text: delta.content } : {}),
      ...(delta?.reasoning_content || delta?.reasoning ? { isReasoning: true } : {}),
      ...(delta?.refusal ? { isReasoning: true, stopReason: 'filtered' } : {}),
      ...(choice?.finish_reason && !delta?.refusal ? stopOf(choice.finish_reason) : {}),
      ...(usage ? { tokensInput: usage.prompt_tokens, tokensOutput: usage.completion_tokens } : {}),
    }
  }
}

function stopOf(reason: string): { stopReason?: StopReason } {
  if (reason === 'length') return { stopReason: 'length' }
  if (reason === 'content_filter') return { stopReason: 'filtered' }
  // DeepSeek ran out of capacity in the middle of the answer.
  return reason === 'insufficient_system_resource' ? {} : { stopReason: 'complete' }
}
