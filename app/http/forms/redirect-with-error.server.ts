import { redirectWith } from '../cookies/notifications.server'
import type { DashboardCall } from '../session/dashboard.server'
import { currentPage } from '../session/return-address.server'
import { StalePageError } from '../session/shown-organization.server'
import { type FailureTitle, failureNotifications } from './form.server'

/** Runs the work of a form without fields. A failure redirects to the page and is shown there as a notification. */
export async function redirectWithError(
  failed: FailureTitle,
  { url, context }: Pick<DashboardCall, 'url' | 'context'>,
  work: () => Promise<Response>,
): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    // The page that it would be shown on is not that of the form.
    if (error instanceof StalePageError) throw error
    return redirectWith(context, currentPage(url), ...failureNotifications(error, failed, context))
  }
}
