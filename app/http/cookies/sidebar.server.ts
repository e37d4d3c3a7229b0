import type { AppLoadContext } from '@remix-run/node'
import { z } from 'zod'
import { hostCookie } from './host-cookie.server'

type Host = Pick<AppLoadContext, 'settings'>

const schema = z.enum(['expanded', 'collapsed']).catch('expanded')
const cookie = (context: Host) => hostCookie(context, 'sidebar', 60 * 60 * 24 * 365)

/** Reads the state from the cookie, so that the first paint is right. Expanded without one. */
export async function isSidebarCollapsed(context: Host, request: Request): Promise<boolean> {
  return schema.parse(await cookie(context).parse(request.headers.get('Cookie'))) === 'collapsed'
}

/** A Set-Cookie header. Any other choice than 'collapsed' expands the sidebar. */
export function rememberSidebar(context: Host, choice: unknown): Promise<string> {
  return cookie(context).serialize(schema.parse(choice))
}
