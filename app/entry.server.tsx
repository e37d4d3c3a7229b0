import { PassThrough } from 'node:stream'
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  createReadableStreamFromReadable,
  type EntryContext,
  type LoaderFunctionArgs,
} from '@remix-run/node'
import { RemixServer } from '@remix-run/react'
import { isbot } from 'isbot'
import { renderToPipeableStream } from 'react-dom/server'
import { NonceProvider } from './components/ui/nonce'

/** How long a page may take, in milliseconds. */
export const streamTimeout = 10_000

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  context: AppLoadContext,
): Promise<Response> {
  const nonce = context.cspNonce
  // Who does not run scripts waits for the whole page.
  const ready = isbot(request.headers.get('user-agent')) || remixContext.isSpaMode ? 'onAllReady' : 'onShellReady'
  return new Promise((resolve, reject) => {
    let answered = false
    const { pipe, abort } = renderToPipeableStream(
      <NonceProvider value={nonce}>
        <RemixServer context={remixContext} url={request.url} nonce={nonce} />
      </NonceProvider>,
      {
        nonce,
        [ready]() {
          answered = true
          const body = new PassThrough()
          headers.set('Content-Type', 'text/html; charset=utf-8')
          keepPrivate(request, headers)
          resolve(
            new Response(createReadableStreamFromReadable(body), {
              headers,
              status,
            }),
          )
          pipe(body)
        },
        onShellError: reject,
        onError(error: unknown) {
          if (answered)
            context.app.log.error({ err: error, requestId: context.requestId }, 'a page broke while it was sent')
        },
      },
    )
    setTimeout(abort, streamTimeout + 1_000).unref()
  })
}

/** The same pages as the router asks for them. */
export function handleDataRequest(response: Response, { request }: LoaderFunctionArgs | ActionFunctionArgs): Response {
  keepPrivate(request, response.headers)
  return response
}

/** What only its person may see stays in no cache, not even after they have logged out. */
function keepPrivate(request: Request, headers: Headers): void {
  if (!/^\/(dashboard|onboarding)([/.]|$)/.test(new URL(request.url).pathname)) return
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'private, no-store')
}

/** Unexpected errors of loaders and actions. */
export function handleError(error: unknown, { request, context }: LoaderFunctionArgs | ActionFunctionArgs): void {
  if (request.signal.aborted) return
  context.app.log.error({ err: error, requestId: context.requestId, url: request.url }, 'a page failed')
}
