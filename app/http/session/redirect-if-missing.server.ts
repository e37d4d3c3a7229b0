import type { AppLoadContext } from '@remix-run/node'
import { isAppError } from '../../../server/errors'
import type { Notification } from '../../components/notifications/notification'
import { redirectWith } from '../cookies/notifications.server'

/** Awaits `data`. If it does not exist, throws a redirect to `list` that shows `notification`. */
export async function redirectIfMissing<Result>(
  context: Pick<AppLoadContext, 'settings'>,
  list: string,
  notification: Notification,
  data: Promise<Result>,
): Promise<Result> {
  try {
    return await data
  } catch (error) {
    if (isAppError(error) && error.code === 'not_found') throw await redirectWith(context, list, notification)
    throw error
  }
}
