import { chatFailures } from '../../../contract/texts/chat-failures'
import type { Actor } from '../../actor'
import { AppError } from '../../errors'

/** Whose limit is checked, and who asks. */
export interface LimitContext {
  actor: Actor
  organizationId: string
}

/** Throws quota_exceeded if one more would exceed the plan. A limit of 0 means unlimited. */
export function assertWithinPlan(context: LimitContext, limit: number, used: number, what: string): void {
  if (limit > 0 && used >= limit) {
    throw new AppError('quota_exceeded', `Your plan allows ${limit} ${what}. Delete one, or ${largerPlan(context)}.`)
  }
}

/** Throws quota_exceeded if `bytes` exceed the plan's limit. A limit of 0 means unlimited. */
export function assertStorage(context: LimitContext, limit: number, bytes: number): void {
  if (limit === 0 || bytes <= limit) return
  const megabytes = Math.floor(limit / 1024 / 1024)
  throw new AppError(
    'quota_exceeded',
    `Your plan allows ${megabytes} MB of files. Delete a file, or ${largerPlan(context)}.`,
  )
}

/** The error of an organization that has used the messages of the month. */
export function messagesUsedUp(context: LimitContext): AppError {
  const { title, message } = chatFailures.usedUp
  const remedy = isOperator(context.actor) ? ` To continue, ${largerPlan(context)}.` : ''
  return new AppError('quota_exceeded', message + remedy, { details: { title } })
}

/** The error of an organization that has used `limit` of a monthly meter. */
export function monthlyLimitReached(context: LimitContext, limit: number, what: string): AppError {
  const message = `Your plan allows ${limit} ${what} a month. Wait for the next month, or ${largerPlan(context)}.`
  return new AppError('quota_exceeded', message)
}

/** How to get a larger plan. Only those who run the installation can assign one. */
function largerPlan({ actor, organizationId }: LimitContext): string {
  if (!isOperator(actor)) return 'ask for a larger plan'
  return `assign a larger plan with: sitelore plans assign <plan> --organization ${organizationId}`
}

function isOperator(actor: Actor): boolean {
  return actor.kind === 'system' || (actor.kind === 'person' && actor.staff)
}
