import type { MessageRole } from '../../../contract/enumerations'
import { lengths } from '../../../contract/limits'
import type { FragmentView } from '../../../contract/views/fragment'
import { AppError, isProviderError } from '../../errors'
import type { ChatChunk, ChatModel, ChatTurn, ProviderFailure, StopReason } from '../ports'
import { buildPrompt, type Turn } from './prompt'

/** Finds fragments of the agent's collection, best first; empty if none reaches the threshold. */
export type Retrieve = (query: string, options: { limit: number; threshold: number }) => Promise<FragmentView[]>

export interface AnswerInput {
  question: string
  /** Earlier messages of the thread, oldest first, without the question. */
  history: { role: MessageRole; content: string }[]
  /** The agent's system prompt; null for the default one. */
  system: string | null
  model: string
  /** Null for a server that needs none. */
  apiKey: string | null
  fragmentLimit: number
  /** Minimum similarity of a fragment, 0 to 1. */
  similarity: number
  /** Maximum number of earlier messages sent to the model; -1 for all. */
  historyLimit: number
  maxOutputTokens: number
}

export type AnswerStep =
  | { kind: 'sources'; fragments: FragmentView[] }
  | { kind: 'text'; text: string }
  | {
      kind: 'end'
      /** 'stopped': the signal aborted, and the text is incomplete. */
      reason: StopReason | 'stopped'
      text: string
      tokensInput: number | null
      tokensOutput: number | null
      /** Milliseconds from the question to the end, retrieval included. */
      tookMs: number
    }

/** The model failed. `text` is what arrived before that; `message` is safe to show. */
export class AnswerFailed extends Error {
  override readonly name = 'AnswerFailed'
  constructor(
    readonly failure: ProviderFailure,
    readonly text: string,
    cause: Error,
  ) {
    super(cause.message, { cause })
  }
}

/**
 * Answers a question from fragments: yields 'sources' once, 'text' as it arrives, and 'end' once. Throws AppError
 * not_found if no fragment reaches the threshold, and AnswerFailed if the model fails.
 */
export async function* answer(
  deps: { retrieve: Retrieve; chatModel: ChatModel },
  input: AnswerInput,
  signal: AbortSignal,
): AsyncGenerator<AnswerStep> {
  const startedAt = performance.now()
  const turns = input.history.flatMap(asTurn)

  const found = await deps.retrieve(retrievalQuery(input.question, turns), {
    limit: input.fragmentLimit,
    threshold: input.similarity,
  })
  if (found.length === 0) throw nothingFound()

  const { messages, fragments } = buildPrompt({ ...input, fragments: found, history: turns })
  yield { kind: 'sources', fragments }

  // The numbers of the remaining fragments stay the same.
  const withFewer = () => buildPrompt({ ...input, fragments: found.slice(0, fragments.length >> 1), history: turns })
  let text = ''
  let end: Extract<ChatChunk, { kind: 'end' }> | null = null
  try {
    for await (const chunk of streamOrShorten(deps.chatModel, input, messages, () => withFewer().messages, signal)) {
      if (chunk.kind === 'end') end = chunk
      else {
        text += chunk.text
        yield chunk
      }
    }
  } catch (error) {
    if (!isProviderError(error)) throw error
    throw new AnswerFailed(error.providerFailure, text, error)
  }
  yield {
    kind: 'end',
    reason: end?.stopReason ?? 'stopped',
    text,
    tokensInput: end?.tokensInput ?? null,
    tokensOutput: end?.tokensOutput ?? null,
    tookMs: Math.round(performance.now() - startedAt),
  }
}

/** Streams an answer. Asks once more, with the shorter prompt, if the model's context is too small. */
async function* streamOrShorten(
  chatModel: ChatModel,
  { model, maxOutputTokens, apiKey }: Pick<AnswerInput, 'model' | 'maxOutputTokens' | 'apiKey'>,
  messages: ChatTurn[],
  shorter: () => ChatTurn[],
  signal: AbortSignal,
): AsyncGenerator<ChatChunk> {
  const request = { model, maxOutputTokens, apiKey }
  try {
    yield* chatModel.stream({ ...request, messages }, signal)
  } catch (error) {
    // A provider rejects the prompt before it sends any text.
    if (!isProviderError(error) || error.providerFailure !== 'context-too-long') throw error
    yield* chatModel.stream({ ...request, messages: shorter() }, signal)
  }
}

/** The contract's error for an agent without matching fragments. */
export function nothingFound(): AppError {
  return new AppError('not_found', 'Did you add your sources yet? Make sure to add them first!', {
    details: { title: 'No data fragments found on Chat API' },
  })
}

function asTurn({ role, content }: { role: MessageRole; content: string }): Turn[] {
  if (role === 'error' || content === '') return []
  return [{ role: role === 'user' ? 'user' : 'assistant', content }]
}

const maxIntentMessages = 5
const minQueryWords = 6
const wordSegmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/**
 * Returns the search query for a question. A short question in a conversation ("And in winter?") rarely names its
 * subject, so preceding questions are prepended, starting with the latest, until the query has enough words. Considers
 * the last five messages, including the question, as the contract defines for the analysis of intent.
 */
export function retrievalQuery(question: string, history: Turn[]): string {
  const earlier = history.slice(1 - maxIntentMessages).filter(({ role }) => role === 'user')
  const parts = [question]
  for (const { content } of earlier.toReversed()) {
    if (countWords(parts.join('\n')) >= minQueryWords) break
    parts.unshift(content)
  }
  const query = parts.join('\n')
  if (parts.length === 1 || query.length <= lengths.searchedQuery) return query
  // Truncates the start of the earliest question to the searched length, without splitting a surrogate pair.
  return query.slice(-lengths.searchedQuery).replace(/^[\udc00-\udfff]/, '')
}

function countWords(text: string): number {
  let count = 0
  for (const { isWordLike } of wordSegmenter.segment(text)) if (isWordLike) count++
  return count
}
