import type { AppLoadContext } from '@remix-run/node'
import { z } from 'zod'
import { hostCookie } from './host-cookie.server'

export const themes = ['light', 'dark', 'system'] as const
export type Theme = (typeof themes)[number]

const schema = z.enum(themes).catch('system')
const cookie = (context: Pick<AppLoadContext, 'settings'>) => hostCookie(context, 'theme', 60 * 60 * 24 * 365)

export async function themeOf(context: Pick<AppLoadContext, 'settings'>, request: Request): Promise<Theme> {
  return schema.parse(await cookie(context).parse(request.headers.get('Cookie')))
}

export function rememberTheme(context: Pick<AppLoadContext, 'settings'>, choice: unknown): Promise<string> {
  return cookie(context).serialize(schema.parse(choice))
}
