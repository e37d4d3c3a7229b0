import type { AppLoadContext } from '@remix-run/node'
import { isAppError } from '../../server/errors'
import type { Notification } from '../components/notifications/notification'
import { redirectWith } from './notify.server'

/** What is missing leads to its list, which says so. */
export async function missingTo<Result>(
  context: Pick<AppLoadContext, 'app'>,
  list: string,
  why: Notification,
  wanted: Promise<Result>,
): Promise<Result> {
  try {
    return await wanted
  } catch (error) {
    if (isAppError(error) && error.code === 'not_found') throw await redirectWith(context, list, why)
    throw error
  }
}
