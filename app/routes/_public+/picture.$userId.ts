import type { LoaderFunctionArgs } from '@remix-run/node'
import { isAppError } from '../../../server/errors'
import { sessionOf } from '../../http/session/session.server'

/** The picture of a person, for that person and for platform administrators. */
export async function loader({ context, request, params }: LoaderFunctionArgs) {
  const session = await sessionOf(context, request)
  if (!session) return notFound()
  try {
    const { mediaType, content } = await context.services.pictures.get(session.actor, params.userId ?? '')
    return new Response(content, {
      headers: {
        'Content-Type': mediaType,
        // The address has the version of the content.
        'Cache-Control': 'private, max-age=31536000, immutable',
        // Nothing in it runs if it is opened on its own.
        'Content-Security-Policy': "default-src 'none'; sandbox",
      },
    })
  } catch (error) {
    if (isAppError(error) && error.code === 'not_found') return notFound()
    throw error
  }
}

function notFound(): Response {
  return new Response('Not found', {
    status: 404,
    headers: { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' },
  })
}
