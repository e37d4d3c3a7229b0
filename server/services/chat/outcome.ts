import { chatFailures } from '../../../contract/texts/chat/chat-failures'
import { incompleteAnswers } from '../../../contract/texts/chat/message-status'
import { type MessageStatus, messageStatuses } from '../../../contract/values/enumerations'
import type { ErrorCode } from '../../../contract/values/error-codes'
import type { ProviderFailure } from '../../engine/ports/chat-model'
import { isAppError, isProviderError } from '../../errors'
import type { DraftState } from './answer-draft'

/** How an exchange ended, as it is stored. */
export interface Outcome {
  question: { status: MessageStatus; statusMessage: string | null }
  /** Null if the reader stopped before any text. */
  answer: { role: 'agent' | 'error'; status: MessageStatus; statusMessage: string | null } | null
  /** What the outcome says about the agent; null if the model did not decide it. */
  model: 'answered' | 'failed' | 'refused-key' | null
}

/** What stopped an answer: 'access' if the caller lost the right to it; null if nothing did. */
export type StoppedBy = 'reader' | 'server' | 'access' | null

export const unanswered = { status: messageStatuses.error, statusMessage: 'Not answered' }
const delivered = { status: messageStatuses.delivered, statusMessage: null }

/** Decides what is stored of an exchange. A question without any text of an answer does not count against the plan. */
export function outcomeOf(draft: Readonly<DraftState>, failure: unknown, stoppedBy: StoppedBy): Outcome {
  const hasText = draft.text !== ''
  if (failure === null && draft.stopReason === null && stoppedBy !== null) {
    const statusMessage = hasText ? incompleteAnswers.stopped : incompleteAnswers.notStarted
    const question = hasText ? delivered : { status: messageStatuses.error, statusMessage }
    // A stop by the reader is no error.
    const status = stoppedBy === 'reader' ? messageStatuses.delivered : messageStatuses.error
    return { question, answer: hasText ? { role: 'agent', status, statusMessage } : null, model: null }
  }
  if (failure !== null) {
    const answer = {
      role: hasText ? ('agent' as const) : ('error' as const),
      status: messageStatuses.error,
      statusMessage: isAppError(failure) ? (failure.details.title ?? failure.message) : failureText(failure).message,
    }
    return { question: hasText ? delivered : unanswered, answer, model: modelOutcome(failure) }
  }
  const statusMessage = statusMessages[draft.stopReason ?? 'complete']
  return {
    question: delivered,
    answer: { role: 'agent', status: messageStatuses.delivered, statusMessage },
    model: draft.asked ? 'answered' : null,
  }
}

/** The code of a problem, and the texts that a person sees. */
export function failureText(failure: unknown): { code: ErrorCode; title: string; message: string } {
  const { title, message } = chatFailures.failed
  if (isAppError(failure))
    return { code: failure.code, title: failure.details.title ?? title, message: failure.message }
  return { code: 'upstream_failed', title, message: isProviderError(failure) ? failure.message : message }
}

const statusMessages = {
  complete: null,
  length: incompleteAnswers.length,
  filtered: incompleteAnswers.filtered,
}

const keyFailures: readonly ProviderFailure[] = ['refused-key']

function modelOutcome(failure: unknown): Outcome['model'] {
  if (isAppError(failure)) return null
  return isProviderError(failure) && keyFailures.includes(failure.providerFailure) ? 'refused-key' : 'failed'
}
