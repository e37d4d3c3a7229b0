import { createCookie } from '@remix-run/node'
import { z } from 'zod'

export const themes = ['light', 'dark', 'system'] as const
export type Theme = (typeof themes)[number]

const schema = z.enum(themes).catch('system')
const cookie = createCookie('theme', { path: '/', sameSite: 'lax', httpOnly: true, maxAge: 60 * 60 * 24 * 365 })

export async function themeOf(request: Request): Promise<Theme> {
  return schema.parse(await cookie.parse(request.headers.get('Cookie')))
}

export function rememberTheme(choice: unknown): Promise<string> {
  return cookie.serialize(schema.parse(choice))
}
