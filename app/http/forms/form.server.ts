import { parseWithZod } from '@conform-to/zod/v4'
import { type AppLoadContext, data } from '@remix-run/node'
import type { z } from 'zod'
import { systemPromptFlagged } from '../../../contract/texts/chat/moderation'
import { isAppError } from '../../../server/errors'
import { type Notification, notification } from '../../components/notifications/notification'

/**
 * Title of a notification, and the message for an unexpected error if the contract names one. `notifiesLimits` is for
 * forms that do not show why they were rejected.
 */
export type FailureTitle = string | { title: string; unexpected?: string; notifiesLimits?: true }

type ReportContext = Pick<AppLoadContext, 'report'>

/**
 * Validates a form with the contract's schema, then calls `work`. Errors are returned by field together with the input,
 * except for the fields in `secrets`. A rejection also returns the contract's notifications, titled `failed`, unless a
 * limit of the plan is reached.
 */
export async function submitForm<Schema extends z.ZodType, Result>(
  context: ReportContext,
  form: FormData,
  schema: Schema,
  failed: FailureTitle,
  work: (value: z.output<Schema>) => Promise<Result>,
  secrets: string[] = [],
) {
  // The contract's schemas take text as forms send it. The library's coercion of '' to undefined would break pipes.
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
    const notifications = formNotifications(error, failed, context)
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

/** Returns what `failureNotifications` does, without the reached limits of a plan: the form itself shows them. */
export function formNotifications(error: unknown, failed: FailureTitle, context: ReportContext): Notification[] {
  const isShown = typeof failed === 'string' || !failed.notifiesLimits
  if (isShown && isAppError(error) && error.code === 'quota_exceeded') return []
  return failureNotifications(error, failed, context)
}

/** The notifications for a failure. Logs unexpected errors and rethrows responses. */
export function failureNotifications(error: unknown, failed: FailureTitle, { report }: ReportContext): Notification[] {
  if (error instanceof Response) throw error
  const { title, unexpected = 'Please try again later. Contact support if issue persists' } =
    typeof failed === 'string' ? { title: failed } : failed
  if (!isAppError(error)) {
    report(error, title)
    return [notification('danger', title, unexpected)]
  }
  const rejection = notification('danger', title, `${error.message} Contact support if issue persists`)
  if (error.code === 'flagged') {
    return [notification('warning', systemPromptFlagged.title, systemPromptFlagged.message), rejection]
  }
  // The person can correct these, so contacting the support would not help.
  if (error.code === 'invalid_input' || error.code === 'too_large' || error.details.fields)
    return [notification('warning', error.details.title ?? title, error.message)]
  return [rejection]
}
