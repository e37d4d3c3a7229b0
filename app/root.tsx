import { data, type LinksFunction, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { Links, Meta, Outlet, Scripts, ScrollRestoration, useMatches, useRouteLoaderData } from '@remix-run/react'
import { type ReactNode, useMemo } from 'react'
import { ErrorPage } from './components/error-page'
import { NotificationProvider } from './components/notifications/context'
import type { Notification } from './components/notifications/notification'
import { Reconnecting } from './components/reconnecting'
import { useNonce } from './components/ui/browser/nonce'
import { takeNotifications } from './http/cookies/notifications.server'
import { themeOf } from './http/cookies/theme.server'
import { product } from './product'
import styles from './styles/app.css?url'

/** The part of the font that every page uses; tokens.css names the others. */
const fontFile = '/fonts/inter-5.3.0-latin.woff2'

export const links: LinksFunction = () => [
  { rel: 'preload', href: fontFile, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
  { rel: 'stylesheet', href: styles },
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
]

export const meta: MetaFunction = () => [{ title: product.name }, { name: 'description', content: product.description }]

export async function loader({ context, request }: LoaderFunctionArgs) {
  const { notifications, headers } = await takeNotifications(context, request)
  return data({ theme: await themeOf(context, request), notifications }, { headers })
}

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useNonce()
  const scriptless = useMatches().some(isScriptless)
  const theme = useRouteLoaderData<typeof loader>('root')?.theme ?? 'system'
  return (
    <html lang="en" data-theme={theme} data-scriptless={scriptless || undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <Meta />
        <Links />
      </head>
      <body>
        <a
          href="#main"
          className="sr-only rounded-small bg-accent px-4 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50"
        >
          Skip to content
        </a>
        {children}
        {!scriptless && (
          <>
            <Reconnecting />
            <ScrollRestoration nonce={nonce} />
            <Scripts nonce={nonce} />
          </>
        )}
      </body>
    </html>
  )
}

export default function Root() {
  const matches = useMatches()
  // Every route's loader may return notifications. The root's own are those that a redirect carried.
  const loaded = useMemo(() => matches.flatMap((match) => notificationsIn(match.data)), [matches])
  return (
    <NotificationProvider loaded={loaded}>
      <Outlet />
    </NotificationProvider>
  )
}

export function ErrorBoundary() {
  return <ErrorPage />
}

/** Pages without anything interactive declare themselves scriptless, and no script is sent. */
function isScriptless({ handle }: { handle?: unknown }): boolean {
  return typeof handle === 'object' && handle !== null && 'scriptless' in handle
}

function notificationsIn(data: unknown): Notification[] {
  if (typeof data !== 'object' || data === null || !('notifications' in data)) return []
  return Array.isArray(data.notifications) ? data.notifications : []
}
