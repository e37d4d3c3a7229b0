import { parseWithZod } from '@conform-to/zod/v4'
import { data } from '@remix-run/node'
import type { z } from 'zod'
import { type AppError, isAppError } from '../../server/errors'
import { type Notification, notification } from '../components/notifications/notification'

/**
 * Checks a form by the contract's schema and does the work. What is wrong goes back to its fields with everything that
 * was typed; a refusal also brings the contract's notifications, titled `failed`.
 */
export async function submitForm<Schema extends z.ZodType>(
  form: FormData,
  schema: Schema,
  failed: string,
  work: (value: z.output<Schema>) => Promise<Response>,
) {
  // The contract's schemas take text as forms send it; the library's own reading of '' as missing would break pipes.
  const submission = parseWithZod(form, { schema, disableAutoCoercion: true })
  if (submission.status !== 'success') {
    return data({ result: submission.reply(), notifications: [] as Notification[] }, { status: 400 })
  }
  try {
    return await work(submission.value)
  } catch (error) {
    if (!isAppError(error)) throw error
    const fields = error.details.fields
    const result = submission.reply(fields ? { fieldErrors: fields } : { formErrors: [error.message] })
    return data({ result, notifications: failureNotifications(error, failed) }, { status: 400 })
  }
}

/** The same for a form of one button: the refusal is shown where it would have led. */
export function failureNotifications(error: AppError, failed: string): Notification[] {
  const after = notification('danger', failed, `${error.message} Contact support if issue persists`)
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
  if (error.code === 'invalid_input') return [notification('warning', error.details.title ?? failed, error.message)]
  return [after]
}
