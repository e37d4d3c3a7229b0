import { parseWithZod } from '@conform-to/zod/v4'
import { type AppLoadContext, data } from '@remix-run/node'
import type { z } from 'zod'
import { isAppError } from '../../server/errors'
import { type Notification, notification } from '../components/notifications/notification'

/** A notification's title; with it the message for what nobody foresaw, where the contract names one. */
export type Failed = string | { title: string; unforeseen: string }

type Logging = Pick<AppLoadContext, 'app' | 'requestId'>

/**
 * Checks a form by the contract's schema and does the work. What is wrong goes back to its fields with everything that
 * was typed, `secrets` apart; a refusal also brings the contract's notifications, titled `failed`.
 */
export async function submitForm<Schema extends z.ZodType>(
  context: Logging,
  form: FormData,
  schema: Schema,
  failed: Failed,
  work: (value: z.output<Schema>) => Promise<Response>,
  secrets: string[] = [],
) {
  // The contract's schemas take text as forms send it; the library's own reading of '' as missing would break pipes.
  const submission = parseWithZod(form, { schema, disableAutoCoercion: true })
  if (submission.status !== 'success') {
    return data(
      { result: submission.reply({ hideFields: secrets }), notifications: [] as Notification[] },
      { status: 400 },
    )
  }
  try {
    return await work(submission.value)
  } catch (error) {
    const notifications = failureNotifications(error, failed, context)
    if (!isAppError(error)) {
      return data(
        { result: submission.reply({ formErrors: ['Please try again later.'], hideFields: secrets }), notifications },
        { status: 500 },
      )
    }
    const fields = error.details.fields
    const result = submission.reply({
      ...(fields ? { fieldErrors: fields } : { formErrors: [error.message] }),
      hideFields: secrets,
    })
    return data({ result, notifications }, { status: 400 })
  }
}

/**
 * What to show of a failure; also for a form of one button, whose refusal is shown where it would have led. Logs what
 * nobody foresaw and throws on what is an answer already.
 */
export function failureNotifications(error: unknown, failed: Failed, { app, requestId }: Logging): Notification[] {
  if (error instanceof Response) throw error
  const { title, unforeseen } =
    typeof failed === 'string'
      ? { title: failed, unforeseen: 'Please try again later. Contact support if issue persists' }
      : failed
  if (!isAppError(error)) {
    app.log.error({ err: error, requestId }, title)
    return [notification('danger', title, unforeseen)]
  }
  const after = notification('danger', title, `${error.message} Contact support if issue persists`)
  if (error.code === 'flagged') {
    return [
      notification(
        'warning',
        'Your system prompt was flagged by Moderation API',
        'We do not allow potentially harmful content, please change your prompt!',
      ),
      after,
    ]
  }
  // What stands beside a field is for the person to mend.
  if (error.code === 'invalid_input' || error.code === 'too_large' || error.details.fields)
    return [notification('warning', error.details.title ?? title, error.message)]
  return [after]
}
