import type { LoaderFunctionArgs } from '@remix-run/node'
import { Outlet, useLoaderData, useLocation, useRouteLoaderData } from '@remix-run/react'
import type { ReactNode } from 'react'
import { AdminSidebar, adminSectionOf } from '../../components/admin/admin-sidebar'
import { ErrorPage, ErrorReport } from '../../components/error-page'
import { Shell } from '../../components/shell/shell'
import { isSidebarCollapsed } from '../../http/cookies/sidebar.server'
import { themeOf } from '../../http/cookies/theme.server'
import { adminLoader } from '../../http/session/admin.server'

export function loader(args: LoaderFunctionArgs) {
  return adminLoader(args, async ({ context, user }) => ({
    person: { name: user.name, surname: user.surname, email: user.email, picture: user.picture },
    helpUrl: context.settings.helpUrl,
    theme: await themeOf(context, args.request),
    sidebarCollapsed: await isSidebarCollapsed(context, args.request),
  }))
}

export default function AdminLayout() {
  return (
    <AdminShell loaded={useLoaderData<typeof loader>()}>
      <Outlet />
    </AdminShell>
  )
}

/** Errors of pages keep the top bar. Without the layout's own data there is none to show. */
export function ErrorBoundary() {
  const loaded = useRouteLoaderData<typeof loader>('routes/admin+/_layout')
  if (!loaded) return <ErrorPage />
  return (
    <AdminShell loaded={loaded} hasFailed>
      <div className="flex max-w-xl flex-col items-start gap-4 py-10">
        <ErrorReport />
      </div>
    </AdminShell>
  )
}

interface AdminShellProps {
  loaded: ReturnType<typeof useLoaderData<typeof loader>>
  /** Whether the page failed, whose navigation is hidden then, as in the dashboard. */
  hasFailed?: boolean
  children: ReactNode
}

function AdminShell({ loaded, hasFailed = false, children }: AdminShellProps) {
  const { pathname } = useLocation()
  return (
    <Shell
      {...loaded}
      section={adminSectionOf(pathname)}
      sidebar={hasFailed ? null : ({ collapsed }) => <AdminSidebar pathname={pathname} collapsed={collapsed} />}
    >
      {children}
    </Shell>
  )
}
