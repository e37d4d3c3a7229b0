import { chatFailures } from '../../../contract/texts/chat-failures'
import { AppError } from '../../errors'

/** Throws quota_exceeded if one more would exceed the plan. A limit of 0 means unlimited. */
export function assertWithinPlan(limit: number, used: number, what: string): void {
  if (limit > 0 && used >= limit) {
    throw new AppError('quota_exceeded', `Your plan allows ${limit} ${what}. Delete one, or ask for a larger plan.`)
  }
}

/** Throws quota_exceeded if `bytes` exceed the plan's limit. A limit of 0 means unlimited. */
export function assertStorage(limit: number, bytes: number): void {
  if (limit === 0 || bytes <= limit) return
  const megabytes = Math.floor(limit / 1024 / 1024)
  throw new AppError(
    'quota_exceeded',
    `Your plan allows ${megabytes} MB of files. Delete a file, or ask for a larger plan.`,
  )
}

/** The error of an organization that has used the messages of the month. */
export function messagesUsedUp(): AppError {
  const { title, message } = chatFailures.usedUp
  return new AppError('quota_exceeded', message, { details: { title } })
}
