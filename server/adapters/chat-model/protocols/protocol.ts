import type { ChatTurn, StopReason } from '../../../engine/ports/chat-model'

export type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>

/** The parameters that some servers or models reject. */
export interface Dialect {
  temperature: boolean
  /** Turns reasoning off (Gemini). */
  thinking: boolean
  /** Asks for token counts (OpenAI). */
  usage: boolean
  /** Name of the output limit (OpenAI). */
  limit: 'max_tokens' | 'max_completion_tokens'
}

export interface ProtocolRequest {
  baseUrl: string
  fetch: Fetch
  apiKey: string
  /** The provider's own id. */
  model: string
  messages: ChatTurn[]
  maxOutputTokens: number
  dialect: Dialect
  signal: AbortSignal
}

/** What one event of a stream says. */
export interface StreamPart {
  text?: string
  /** The event carries reasoning: progress without text. */
  isReasoning?: boolean
  stopReason?: StopReason | null
  tokensInput?: number
  tokensOutput?: number
  responseId?: string
}

/** Sends a request in a vendor's protocol. Resolves when the headers of a successful response have arrived. */
export type Protocol = (request: ProtocolRequest) => Promise<AsyncIterable<StreamPart>>

/** Low, because answers quote fragments. */
export const temperature = 0.2
