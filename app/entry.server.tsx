import { Transform } from 'node:stream'
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
import { NonceProvider } from './components/ui/browser/nonce'

const pieceBytes = 64 * 1024

/** Milliseconds that deferred data may take. Remix reads this export by its name. */
export const streamTimeout = 10_000

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  context: AppLoadContext,
): Promise<Response> {
  const nonce = context.cspNonce
  // Crawlers get the complete page: they do not run the scripts that would fill in the rest.
  const ready = isbot(request.headers.get('user-agent')) || remixContext.isSpaMode ? 'onAllReady' : 'onShellReady'
  return new Promise((resolve, reject) => {
    let isStarted = false
    const { pipe, abort } = renderToPipeableStream(
      <NonceProvider value={nonce}>
        <RemixServer context={remixContext} url={request.url} nonce={nonce} />
      </NonceProvider>,
      {
        nonce,
        [ready]() {
          isStarted = true
          const body = inLargePieces()
          headers.set('Content-Type', 'text/html; charset=utf-8')
          forbidCaching(request, headers)
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
          if (isStarted) context.report(error, 'A page failed after its response had started')
        },
      },
    )
    setTimeout(abort, streamTimeout + 1_000).unref()
  })
}

/** Joins React's pieces of 2 KB: compressing and sending each by itself took longer than rendering the page. */
function inLargePieces(): Transform {
  let pieces: Buffer[] = []
  let bytes = 0
  const take = () => {
    const joined = Buffer.concat(pieces)
    pieces = []
    bytes = 0
    return joined
  }
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      pieces.push(piece)
      bytes += piece.length
      done(null, bytes < pieceBytes ? undefined : take())
    },
    flush: (done) => done(null, take()),
  })
}

/** Data that the router requests on navigation. */
export function handleDataRequest(response: Response, { request }: LoaderFunctionArgs | ActionFunctionArgs): Response {
  forbidCaching(request, response.headers)
  return response
}

/**
 * Keeps pages of signed-in people out of all caches, the browser's included: it would show them after a log-out. Public
 * pages show who is signed in, which is known by a cookie.
 */
function forbidCaching(request: Request, headers: Headers): void {
  const isPrivate = /^\/(dashboard|onboarding)([/.]|$)/.test(new URL(request.url).pathname)
  if (!isPrivate && !request.headers.has('cookie')) return
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'private, no-store')
}

/** Logs unexpected errors of loaders and actions. */
export function handleError(error: unknown, { request, context }: LoaderFunctionArgs | ActionFunctionArgs): void {
  if (request.signal.aborted) return
  context.report(error, 'A page failed')
}
