import type { ClientActionFunctionArgs } from '@remix-run/react'
import { paths } from '../../../paths'
import { isNetworkError, untilReachable } from './network'
import { untilSignedIn } from './session'

/** Dispatched on the window when a form did not reach the server. */
export const unreachedEvent = 'server-unreached'
/** Dispatched on the window when a form was not accepted: it did not reach the server, or its person was signed out. */
export const unsentEvent = 'form-unsent'

/**
 * The `clientAction` of every page with forms. Without a connection Remix would replace the page, and what was typed into
 * it, by an error page. This leaves the page as it is. The form is pending until the server is reached again, because
 * Remix loads the page's data after the response to a fetcher, whatever its status. So it is for a person who was signed
 * out, until they have signed in again.
 */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs): Promise<unknown> {
  try {
    return await serverAction()
  } catch (error) {
    if (isRedirectToLanding(error)) {
      window.dispatchEvent(new Event(unsentEvent))
      // Without an ended session, the redirect is what the action wants.
      if (!(await untilSignedIn(request.signal))) throw error
    } else {
      if (!isNetworkError(error)) throw error
      window.dispatchEvent(new Event(unsentEvent))
      window.dispatchEvent(new Event(unreachedEvent))
      await untilReachable(request.signal)
    }
    return new Response('{}', { status: 503, headers: { 'Content-Type': 'application/json' } })
  }
}

function isRedirectToLanding(error: unknown): boolean {
  return error instanceof Response && error.headers.get('Location') === paths.landing()
}
