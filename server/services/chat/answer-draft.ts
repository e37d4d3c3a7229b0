import { isWeb } from '../../../contract/texts/pages/place-in-file'
import type { Provider, Verdict } from '../../../contract/values/enumerations'
import type { FragmentView } from '../../../contract/views/chat/fragment'
import type { Candidate } from '../../../contract/views/chat/thread'
import { type AnswerReader, createAnswerReader } from '../../engine/answering/answer-reader'
import type { ChatChunk, StopReason } from '../../engine/ports/chat-model'
import type { TranslatedQuestion } from '../search/translate-question'
import type { Evidence } from './evidence'

/** An answer as far as it has come. */
export interface DraftState {
  text: string
  /** What was searched for; null without a search. */
  query: string | null
  /** The query in the collection's language that was searched as well; null without one. */
  translatedQuery: string | null
  /** What the answer is written from. */
  fragments: FragmentView[]
  candidates: Candidate[]
  cited: readonly number[]
  /** Null until the answer is complete, and for small talk. */
  verdict: Verdict | null
  /** The model that was asked; null without one. */
  asked: { provider: Provider; model: string } | null
  /** Null until the answer is complete. */
  stopReason: StopReason | null
  responseId: string | null
  tokensInput: number | null
  tokensOutput: number | null
  /** Milliseconds since the question. */
  searchMs: number | null
  firstTextMs: number | null
}

export type AnswerDraft = ReturnType<typeof createAnswerDraft>

/** Collects an answer while it streams, so that whatever came of it can be stored however it ends. */
export function createAnswerDraft() {
  const startedAt = performance.now()
  let reader: AnswerReader = createAnswerReader([])
  const state: DraftState = {
    text: '',
    query: null,
    translatedQuery: null,
    fragments: [],
    candidates: [],
    cited: [],
    verdict: null,
    asked: null,
    stopReason: null,
    responseId: null,
    tokensInput: null,
    tokensOutput: null,
    searchMs: null,
    firstTextMs: null,
  }

  return {
    get state(): Readonly<DraftState> {
      return state
    },

    /** Takes the question as a query in the collection's language, whose tokens count with those of the answer. */
    translated({ query, tokensInput, tokensOutput }: TranslatedQuestion): void {
      Object.assign(state, { translatedQuery: query, tokensInput, tokensOutput })
    },

    /** Takes what was searched and found, of which the first `used` fragments fit into the prompt. */
    found(query: string, { fragments, candidates }: Evidence, used: number): void {
      const overBudget = fragments.slice(used).map(({ id, url, title, score }): Candidate => {
        return { id, url, title, score, reason: 'over-budget' }
      })
      Object.assign(state, { query, candidates: [...overBudget, ...candidates], searchMs: elapsedMs() })
    },

    /** Starts a model's answer from these fragments, the first of which is [1]. */
    begin(asked: { provider: Provider; model: string }, fragments: FragmentView[]): void {
      Object.assign(state, { asked, fragments })
      discard()
    },

    /** Takes a chunk of the model. Returns the text that readers see of it; '' if there is none yet. */
    add(chunk: ChatChunk): string {
      if (chunk.kind === 'text') return append(reader.push(chunk.text))
      if (chunk.kind === 'discard') return discard()
      const { stopReason, responseId } = chunk
      const tokensInput = sumOf(state.tokensInput, chunk.tokensInput)
      const tokensOutput = sumOf(state.tokensOutput, chunk.tokensOutput)
      const rest = append(reader.end())
      const citedVerdict = reader.cited.length > 0 ? 'answered' : 'not-found'
      const verdict = stopReason === 'complete' ? (reader.verdict ?? citedVerdict) : reader.verdict
      Object.assign(state, { stopReason, responseId, tokensInput, tokensOutput, verdict })
      return rest
    },

    /** Completes the text of an answer that was stopped or failed within a citation or code. */
    flush(): void {
      append(reader.end())
    },

    /** Takes the fragments with the passages on which the answer rests. */
    cite(fragments: FragmentView[]): void {
      Object.assign(state, { fragments })
    },

    /** Takes a complete reply that needs no model. */
    write(text: string, verdict: Verdict | null): string {
      Object.assign(state, { verdict, stopReason: 'complete' })
      return append(text)
    },

    elapsedMs,
  }

  function discard(): string {
    reader = createAnswerReader(state.fragments.map(({ link }) => (isWeb(link) ? link : null)))
    Object.assign(state, { text: '', cited: reader.cited, firstTextMs: null })
    return ''
  }

  function append(text: string): string {
    if (text !== '') state.firstTextMs ??= elapsedMs()
    state.text += text
    return text
  }

  function elapsedMs(): number {
    return Math.round(performance.now() - startedAt)
  }
}

/** Null if neither is known. */
function sumOf(first: number | null, second: number | null): number | null {
  return first === null && second === null ? null : (first ?? 0) + (second ?? 0)
}
