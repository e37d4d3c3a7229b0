import type { LoaderFunctionArgs } from '@remix-run/node'
import { isAppError } from '../../../server/errors'

/** The logo of an agent, for the pages that have its widget. */
export async function loader({ context, params }: LoaderFunctionArgs) {
  try {
    const { mediaType, content } = await context.services.logos.get(params.agentId ?? '')
    return new Response(content, {
      headers: {
        'Content-Type': mediaType,
        // The address has the version of the content.
        'Cache-Control': 'public, max-age=31536000, immutable',
        // Nothing in it runs if it is opened on its own.
        'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      },
    })
  } catch (error) {
    if (!isAppError(error) || error.code !== 'not_found') throw error
    return new Response('Not found', {
      status: 404,
      headers: { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' },
    })
  }
}
