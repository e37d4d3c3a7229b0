import type { ClientActionFunctionArgs } from '@remix-run/react'
import { isNetworkError, untilReachable } from './network'

/** Dispatched on the window when a form did not reach the server. */
export const unreachedEvent = 'server-unreached'

/**
 * The `clientAction` of every page with forms. Without a connection Remix would replace the page, and what was typed into
 * it, by an error page. This leaves the page as it is. The form is pending until the server is reached again, because
 * Remix loads the page's data after the response to a fetcher, whatever its status.
 */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs): Promise<unknown> {
  try {
    return await serverAction()
  } catch (error) {
    if (!isNetworkError(error)) throw error
    window.dispatchEvent(new Event(unreachedEvent))
    await untilReachable(request.signal)
    return new Response('{}', { status: 503, headers: { 'Content-Type': 'application/json' } })
  }
}
