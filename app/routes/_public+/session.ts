import type { LoaderFunctionArgs } from '@remix-run/node'
import { sessionOf } from '../../http/session/session.server'

/** Tells an open page whether its person is still signed in. */
export async function loader({ context, request }: LoaderFunctionArgs) {
  const session = await sessionOf(context, request)
  return Response.json({ email: session?.user.email ?? null }, { headers: { 'Cache-Control': 'no-store' } })
}
