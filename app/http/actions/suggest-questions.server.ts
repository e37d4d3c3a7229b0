import { type AppLoadContext, data } from '@remix-run/node'
import { isAppError } from '../../../server/errors'
import type { Notification } from '../../components/notifications/notification'

/** Returns proposed questions for a form that is not saved, or why there are none. */
export async function suggestQuestions(context: Pick<AppLoadContext, 'report'>, propose: () => Promise<string[]>) {
  const respond = (suggestions: string[], message: string) =>
    data({ proposed: { suggestions, message }, notifications: [] as Notification[] })
  try {
    const suggestions = await propose()
    return suggestions.length > 0
      ? respond(suggestions, 'Check the questions, then save the settings.')
      : respond([], 'The model wrote no questions. Try again.')
  } catch (error) {
    if (!isAppError(error)) context.report(error, 'Questions could not be proposed')
    return respond([], isAppError(error) ? error.message : 'Please try again later. Contact support if issue persists.')
  }
}
