import type { ActionFunctionArgs, HeadersFunction, LoaderFunctionArgs } from '@remix-run/node'
import {
  Outlet,
  useActionData,
  useLoaderData,
  useLocation,
  useRouteLoaderData,
  useSearchParams,
} from '@remix-run/react'
import { ErrorPage, ErrorReport } from '../../components/error-page'
import { LeaveOrganization } from '../../components/organizations/leave-organization'
import { OrganizationDialog } from '../../components/organizations/organization-dialog'
import { Shell } from '../../components/shell/shell'
import { withoutDialog } from '../../components/ui/browser/query'
import { handleOrganizationAction } from '../../http/actions/organization-actions.server'
import { readForm } from '../../http/api/body.server'
import { isSidebarCollapsed } from '../../http/cookies/sidebar.server'
import { themeOf } from '../../http/cookies/theme.server'
import { canEditOrganization, canManageMembers } from '../../http/session/abilities.server'
import { dashboardAction, dashboardLoader } from '../../http/session/dashboard.server'

export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ context, user, organization, role }) => ({
    organization,
    role,
    mayEditOrganization: canEditOrganization(role),
    mayManageMembers: canManageMembers(role),
    // Addresses of the operator's servers are for administrators only.
    providers: canEditOrganization(role) ? context.settings.providers : null,
    memberships: user.org_connections,
    helpUrl: context.settings.helpUrl,
    theme: await themeOf(args.context, args.request),
    sidebarCollapsed: await isSidebarCollapsed(args.context, args.request),
  }))
}

export function action(args: ActionFunctionArgs) {
  return dashboardAction(args, async (visitor) => handleOrganizationAction(visitor, await readForm(args.request)))
}

/** Remix sends the headers of a failed loader only if the route of the error page passes them on. */
export const headers: HeadersFunction = ({ errorHeaders }) => {
  const retryAfter = errorHeaders?.get('Retry-After')
  return new Headers(retryAfter ? { 'Retry-After': retryAfter } : undefined)
}

export default function DashboardLayout() {
  const loaded = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  const { pathname } = useLocation()
  const [search] = useSearchParams()
  return (
    <>
      <Shell {...loaded} pathname={pathname}>
        <Outlet />
      </Shell>
      {search.get('dialog') === 'organization' && loaded.providers && (
        <OrganizationDialog
          organization={loaded.organization}
          providers={loaded.providers}
          closeTo={withoutDialog(search)}
          answer={answer && 'result' in answer ? answer : undefined}
        />
      )}
      {search.get('dialog') === 'leave' && (
        <LeaveOrganization name={loaded.organization.name} closeTo={withoutDialog(search)} />
      )}
    </>
  )
}

/** Errors of pages keep the navigation around them. Without the layout's own data there is none to show. */
export function ErrorBoundary() {
  const loaded = useRouteLoaderData<typeof loader>('routes/dashboard+/_layout')
  const { pathname } = useLocation()
  if (!loaded) return <ErrorPage />
  return (
    <Shell {...loaded} pathname={pathname}>
      <div className="flex max-w-xl flex-col items-start gap-4 py-10">
        <ErrorReport />
      </div>
    </Shell>
  )
}
