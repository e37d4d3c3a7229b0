import { chatFailures } from '../../../contract/texts/chat/chat-failures'
import { largerPlanCommand } from '../../../contract/texts/larger-plan'
import { pluralize } from '../../../contract/texts/pluralize'
import type { Actor } from '../../actor'
import { AppError } from '../../errors'
import { type Action, can } from '../../policy'
import { isVisitor } from './visitor-share'

/** Whose limit is checked, and who asks. */
export interface LimitContext {
  actor: Actor
  organizationId: string
}

/** What a plan counts in total, with the right that deleting one takes. */
const deletedWith = {
  agent: 'agent:edit',
  collection: 'collection:edit',
  source: 'source:edit',
  thread: 'thread:delete',
} as const satisfies Record<string, Action>

/** Throws quota_exceeded if one more `noun` would exceed the plan. A limit of 0 means unlimited. */
export function assertWithinPlan(
  context: LimitContext,
  limit: number,
  used: number,
  noun: keyof typeof deletedWith,
): void {
  if (limit > 0 && used >= limit) throw planLimitReached(context, limit, noun)
}

/** The error of an organization that has `limit` of a thing. */
export function planLimitReached(context: LimitContext, limit: number, noun: keyof typeof deletedWith): AppError {
  const { actor, organizationId } = context
  if (isVisitor(actor)) return visitorQuotaExceeded()
  const remedy = can(actor, deletedWith[noun], organizationId) ? 'delete one or ' : ''
  return new AppError('quota_exceeded', `Your plan allows ${pluralize(limit, noun)}; ${remedy}${largerPlan(context)}.`)
}

/** Throws quota_exceeded if `bytes` exceed the plan's limit. A limit of 0 means unlimited. */
export function assertStorage(context: LimitContext, limit: number, bytes: number): void {
  if (limit === 0 || bytes <= limit) return
  const megabytes = Math.floor(limit / 1024 / 1024)
  const message = `Your plan allows ${megabytes} MB of files; delete a file or ${largerPlan(context)}.`
  throw new AppError('quota_exceeded', message)
}

/** The error of an organization that has used the messages of the month. */
export function messageQuotaExceeded(context: LimitContext): AppError {
  const { title, message } = chatFailures.usedUp
  const remedy = isOperator(context.actor) ? ` To continue, ${largerPlan(context)}.` : ''
  return new AppError('quota_exceeded', message + remedy, { details: { title } })
}

/** The error while all messages that are left are being answered: those that fail are given back. */
export function messagesPending(): AppError {
  return new AppError('rate_limited', 'All messages that are left are being answered. Try again in a moment.', {
    details: { retryAfterSeconds: 5 },
  })
}

/** The error of an agent that may give no more answers today. Its visitors read it, so it names no remedy. */
export function dailyMessagesUsedUp(): AppError {
  return new AppError('quota_exceeded', 'This agent has reached its limit of answers for today. Try again tomorrow.', {
    details: { title: chatFailures.usedUp.title },
  })
}

/** The error of an organization whose visitors have used their share of the day. They read it, so it names no remedy. */
export function visitorShareUsedUp(): AppError {
  return new AppError('quota_exceeded', 'This website has reached its limit for today. Try again tomorrow.', {
    details: { title: chatFailures.usedUp.title },
  })
}

/** The error of an organization that has used `limit` of a monthly meter. */
export function monthlyLimitReached(context: LimitContext, limit: number, noun: string): AppError {
  if (isVisitor(context.actor)) return visitorQuotaExceeded()
  const message = `Your plan allows ${pluralize(limit, noun)} a month; wait for the next month or ${largerPlan(context)}.`
  return new AppError('quota_exceeded', message)
}

/** The error of an organization, or a source, that has no room for another address. */
export function addressLimitReached(context: LimitContext): AppError {
  const message = `The limit of addresses is reached; ignore another one, raise the source's maximum or ${largerPlan(context)}.`
  return new AppError('quota_exceeded', message)
}

function visitorQuotaExceeded(): AppError {
  const { title, message } = chatFailures.usedUp
  return new AppError('quota_exceeded', message, { details: { title } })
}

/** How to get a larger plan. Only those who run the installation can assign one. */
function largerPlan({ actor, organizationId }: LimitContext): string {
  if (!isOperator(actor)) return 'ask the operator for a larger plan'
  return `assign a larger plan with: ${largerPlanCommand(organizationId)}`
}

function isOperator(actor: Actor): boolean {
  return actor.kind === 'system' || (actor.kind === 'person' && actor.staff)
}
