import type { AppLoadContext } from '@remix-run/node'
import { isAppError } from '../../../server/errors'
import { notification } from '../../components/notifications/notification'
import { redirectWith } from '../cookies/notifications.server'

/** Awaits `data`. If it does not exist, throws a redirect to `list` with a notification that names the `kind`. */
export async function redirectIfMissing<Result>(
  context: Pick<AppLoadContext, 'settings'>,
  list: string,
  kind: 'address' | 'agent' | 'collection' | 'organization' | 'source' | 'thread' | 'URL' | 'user',
  data: Promise<Result>,
): Promise<Result> {
  try {
    return await data
  } catch (error) {
    if (!isAppError(error) || error.code !== 'not_found') throw error
    const message = `This ${kind} does not exist or you do not have access to it.`
    throw await redirectWith(context, list, notification('warning', `Couldn't find ${kind}`, message))
  }
}
