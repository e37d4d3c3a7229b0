import type { Content, GenerateContentConfig, GenerateContentResponse } from '@google/genai'
import type { StopReason } from '../../../engine/ports/chat-model'
import { HttpFailure } from '../http-failure'
import { type ProtocolRequest, type StreamPart, temperature } from './protocol'

/** Gemini's generateContent. */
export async function openGeminiStream(request: ProtocolRequest): Promise<AsyncIterable<StreamPart>> {
  // The model is part of the path.
  if (!/^[\w.:@/-]+$/.test(request.model) || request.model.includes('..')) throw new HttpFailure({ status: 404 })
  const { GoogleGenAI } = await import('@google/genai')
  const { dialect } = request
  const client = new GoogleGenAI({
    apiKey: request.apiKey,
    // The environment could select Google's cloud platform and its credentials.
    enterprise: false,
    vertexai: false,
    httpOptions: { baseUrl: request.baseUrl, fetch: request.fetch },
  })
  const config: GenerateContentConfig = {
    systemInstruction: request.messages.flatMap(({ role, content }) => (role === 'system' ? [content] : [])),
    maxOutputTokens: request.maxOutputTokens,
    abortSignal: request.signal,
    ...(dialect.temperature ? { temperature } : {}),
    // Thoughts count towards the output limit.
    ...(dialect.thinking ? { thinkingConfig: { thinkingBudget: 0 } } : {}),
  }
  return partsOf(
    await client.models.generateContentStream({ model: request.model, contents: contentsOf(request), config }),
  )
}

function contentsOf({ messages }: ProtocolRequest): Content[] {
  return messages.flatMap(({ role, content }) =>
    role === 'system' ? [] : [{ role: role === 'user' ? 'user' : 'model', parts: [{ text: content }] }],
  )
}

async function* partsOf(responses: AsyncIterable<GenerateContentResponse>): AsyncGenerator<StreamPart> {
  for await (const { responseId, candidates, promptFeedback, usageMetadata } of responses) {
    const [candidate] = candidates ?? []
    const parts = candidate?.content?.parts ?? []
    const text = parts.map((part) => (part.thought ? '' : (part.text ?? ''))).join('')
    const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount } = usageMetadata ?? {}
    yield {
      ...(responseId ? { responseId } : {}),
      ...(text ? { text } : {}),
      ...(parts.some(({ thought }) => thought) ? { isReasoning: true } : {}),
      ...(candidate?.finishReason ? stopOf(candidate.finishReason) : {}),
      ...(promptFeedback?.blockReason ? { stopReason: 'filtered' as const } : {}),
      ...(promptTokenCount === undefined ? {} : { tokensInput: promptTokenCount }),
      ...(candidatesTokenCount === undefined ? {} : { tokensOutput: candidatesTokenCount + (thoughtsTokenCount ?? 0) }),
    }
  }
}

function stopOf(reason: string): { stopReason?: StopReason } {
  if (reason === 'FINISH_REASON_UNSPECIFIED') return {}
  if (reason === 'STOP') return { stopReason: 'complete' }
  // Every other reason is a filter: safety, recitation, prohibited content.
  return { stopReason: reason === 'MAX_TOKENS' ? 'length' : 'filtered' }
}
