import { type AppLoadContext, redirect } from '@remix-run/node'
import { z } from 'zod'
import { type Notification, notificationTypes } from '../../components/notifications/notification'
import { hostCookie } from './host-cookie.server'

type Host = Pick<AppLoadContext, 'settings'>

/** Carries notifications over one redirect. Their texts are only ever rendered as text. */
const cookie = (context: Host) => hostCookie(context, 'notifications', 60)

const schema = z
  .array(
    z.object({
      uuid: z.string().max(64),
      type: z.enum(notificationTypes),
      title: z.string().max(300),
      message: z.string().max(1_000).optional(),
      content: z.string().max(1_000).optional(),
      dismissible: z.boolean().optional(),
      persistent: z.boolean().optional(),
      timeout: z.number().optional(),
    }),
  )
  .max(5)
  .catch([])

export async function redirectWith(context: Host, url: string, ...notifications: Notification[]): Promise<Response> {
  const headers = { 'Set-Cookie': await cookie(context).serialize(notifications) }
  return redirect(url, { status: 303, headers })
}

/** Reads the notifications that a redirect carried, and the header that removes them. */
export async function takeNotifications(
  context: Host,
  request: Request,
): Promise<{ notifications: Notification[]; headers: Record<string, string> }> {
  const notifications = schema.parse((await cookie(context).parse(request.headers.get('Cookie'))) ?? [])
  if (notifications.length === 0) return { notifications, headers: {} }
  return { notifications, headers: { 'Set-Cookie': await cookie(context).serialize([], { maxAge: 0 }) } }
}
