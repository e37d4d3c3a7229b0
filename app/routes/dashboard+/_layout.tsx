import type { ActionFunctionArgs, HeadersFunction, LoaderFunctionArgs } from '@remix-run/node'
import { Outlet, useActionData, useLoaderData, useLocation, useRouteError, useRouteLoaderData } from '@remix-run/react'
import { userTypes } from '../../../contract/values/enumerations'
import { ErrorPage, ErrorReport, isConflict } from '../../components/error-page'
import { QuickKeys } from '../../components/go-to/quick-keys'
import { LazyOrganizationDialogs } from '../../components/organizations/lazy-dialogs'
import { Shell } from '../../components/shell/shell'
import { Sidebar, sectionOf } from '../../components/shell/sidebar'
import { ShownOrganizationProvider } from '../../components/ui/forms/organization-form'
import { handleOrganizationAction } from '../../http/actions/organization-actions.server'
import { isSidebarCollapsed } from '../../http/cookies/sidebar.server'
import { themeOf } from '../../http/cookies/theme.server'
import { dashboardAction, dashboardLoader } from '../../http/session/dashboard.server'

export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ services, context, actor, user, organization, role }) => ({
    organization,
    isLastAdministrator: await services.members.isLastAdministrator(actor, organization.id),
    person: { name: user.name, surname: user.surname, email: user.email, picture: user.picture },
    role,
    isStaff: user.type === userTypes.staff,
    // Addresses of the operator's servers are for administrators only.
    providers: organization.abilities.edit ? context.settings.providers : null,
    memberships: user.org_connections,
    helpUrl: context.settings.helpUrl,
    theme: await themeOf(args.context, args.request),
    sidebarCollapsed: await isSidebarCollapsed(args.context, args.request),
  }))
}

export function action(args: ActionFunctionArgs) {
  return dashboardAction(args, async (visitor, form) => handleOrganizationAction(visitor, args.request, form))
}

export { clientAction } from '../../components/ui/browser/client-action'

/** Remix sends the headers of a failed loader only if the route of the error page passes them on. */
export const headers: HeadersFunction = ({ errorHeaders }) => {
  const retryAfter = errorHeaders?.get('Retry-After')
  return new Headers(retryAfter ? { 'Retry-After': retryAfter } : undefined)
}

export default function DashboardLayout() {
  const loaded = useLoaderData<typeof loader>()
  const { organization } = loaded
  const actionData = useActionData<typeof action>()
  const { pathname } = useLocation()
  return (
    <ShownOrganizationProvider value={organization.id}>
      <Shell
        {...loaded}
        quickKeys={<QuickKeys abilities={organization.abilities} isStaff={loaded.isStaff} />}
        section={sectionOf(pathname)}
        sidebar={(place) => <Sidebar {...loaded} {...place} pathname={pathname} />}
      >
        {/* New forms for another organization, without what was entered for this one. */}
        <Outlet key={organization.id} />
      </Shell>
      <LazyOrganizationDialogs
        key={organization.id}
        {...loaded}
        actionData={actionData && 'result' in actionData ? actionData : undefined}
      />
    </ShownOrganizationProvider>
  )
}

/** The contract hides the content of the sidebar while an error applies. Without the layout's data there is no shell. */
export function ErrorBoundary() {
  const loaded = useRouteLoaderData<typeof loader>('routes/dashboard+/_layout')
  const { pathname } = useLocation()
  const error = useRouteError()
  if (!loaded) return <ErrorPage />
  return (
    <ShownOrganizationProvider value={loaded.organization.id}>
      <Shell {...loaded} section={sectionOf(pathname)} sidebar={null}>
        <div className="flex max-w-xl flex-col items-start gap-4 py-10">
          <ErrorReport />
        </div>
      </Shell>
      {/* A dialog that was refused would cover the reason. */}
      {!isConflict(error) && <LazyOrganizationDialogs {...loaded} actionData={undefined} />}
    </ShownOrganizationProvider>
  )
}
