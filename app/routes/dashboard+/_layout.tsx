import type { LoaderFunctionArgs } from '@remix-run/node'
import { Outlet, useLoaderData, useLocation } from '@remix-run/react'
import { Shell } from '../../components/shell/shell'
import { themeOf } from '../../http/theme.server'
import { visit } from '../../http/visit.server'

export function loader(args: LoaderFunctionArgs) {
  return visit(args, async ({ app, user, organization, role }) => ({
    organization,
    role,
    memberships: user.org_connections,
    helpUrl: app.config.helpUrl,
    theme: await themeOf(args.request),
  }))
}

export default function DashboardLayout() {
  const loaded = useLoaderData<typeof loader>()
  const { pathname } = useLocation()
  return (
    <Shell {...loaded} pathname={pathname}>
      <Outlet />
    </Shell>
  )
}
