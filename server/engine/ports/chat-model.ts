export interface ChatTurn {
  role: 'system' | 'user' | 'assistant'
  content: string
}

export interface ChatRequest {
  model: string
  messages: ChatTurn[]
  maxOutputTokens: number
  /** Null sends none, for servers that need no key. */
  apiKey: string | null
}

/** 'length': the output token limit was reached. 'filtered': the provider's filter ended the answer. */
export type StopReason = 'complete' | 'length' | 'filtered'

export type ChatChunk =
  | { kind: 'text'; text: string }
  /** All text so far was reasoning, not part of the answer. */
  | { kind: 'discard' }
  | {
      kind: 'end'
      stopReason: StopReason
      /** Null if the provider does not report them. */
      tokensInput: number | null
      tokensOutput: number | null
      /** The provider's own id of the response; null without one. */
      responseId: string | null
    }

/** 'context-too-long': fewer fragments may fit. 'output-limit': no room for text after the reasoning. */
export type ProviderFailure =
  | 'refused-key'
  | 'unknown-model'
  | 'rate-limited'
  | 'timeout'
  | 'unavailable'
  | 'bad-request'
  | 'context-too-long'
  | 'output-limit'
  | 'declined'
  | 'interrupted'

/** The error of a ChatModel; test for it with `isProviderError` of `server/errors.ts`. `message` is safe to show. */
export interface ProviderError extends Error {
  readonly providerFailure: ProviderFailure
}

/**
 * Streams an answer from a model provider, without the model's reasoning. Returns immediately when `signal` aborts. Throws
 * ProviderError.
 */
export interface ChatModel {
  stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatChunk>
}

/** Recognizes harmful text. Throws if the service cannot be asked. */
export interface Moderator {
  /** `apiKey` is null for a server that needs none. */
  isFlagged(text: string, apiKey: string | null, signal: AbortSignal): Promise<boolean>
}
