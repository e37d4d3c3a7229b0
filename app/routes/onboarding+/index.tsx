import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node'
import { useActionData, useLoaderData, useSearchParams } from '@remix-run/react'
import { goals, onboardingSchema } from '../../../contract/organizations/organization'
import { useShowNotifications } from '../../components/notifications/context'
import { withOtherText } from '../../components/onboarding/labels'
import { OnboardingFrame } from '../../components/onboarding/onboarding-frame'
import { Questionnaire } from '../../components/onboarding/questionnaire'
import { WaitingOrganization } from '../../components/onboarding/waiting-organization'
import { DeleteOrganizationDialog } from '../../components/organizations/delete-organization-dialog'
import { LeaveOrganization } from '../../components/organizations/leave-organization'
import { NewOrganizationDialog } from '../../components/organizations/new-organization-dialog'
import { DeleteItem, LeaveItem, OrganizationChoices } from '../../components/shell/organization-choices'
import { withoutDialog } from '../../components/ui/browser/query'
import { ShownOrganizationProvider } from '../../components/ui/forms/organization-form'
import { Menu } from '../../components/ui/menus/menu'
import { createOrganization } from '../../http/actions/new-organization.server'
import { deleteOrganization, leaveOrganization } from '../../http/actions/organization-actions.server'
import { submitForm } from '../../http/forms/form.server'
import { type DashboardCall, dashboardAction, dashboardLoader } from '../../http/session/dashboard.server'
import { paths } from '../../paths'
import { product } from '../../product'

export const meta: MetaFunction = () => [{ title: `Onboarding · ${product.name}` }]

export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ services, actor, user, organization }) => ({
    goals,
    organization: { id: organization.id, name: organization.name, mayDelete: organization.abilities.delete },
    memberships: user.org_connections,
    isLastAdministrator: await services.members.isLastAdministrator(actor, organization.id),
    // Null for those who answer themselves.
    administrators: organization.abilities.edit ? null : await services.members.administrators(actor, organization.id),
  }))
}

export function action(args: ActionFunctionArgs) {
  return dashboardAction(args, async (call, form) => {
    switch (form.get('intent')) {
      case 'create-organization':
        return createOrganization({ ...call, request: args.request }, form)
      case 'leave-organization':
        return leaveOrganization(call)
      case 'delete-organization':
        return deleteOrganization(call, form)
      default:
        return answer(call, form)
    }
  })
}

export { clientAction } from '../../components/ui/browser/client-action'

function answer({ services, actor, organizationId, context }: DashboardCall, form: FormData) {
  return submitForm(context, withOtherText(form), onboardingSchema, 'Something went wrong', async (answers) => {
    await services.organizations.onboard(actor, organizationId, answers)
    return redirect(paths.dashboard(), 303)
  })
}

export default function Onboarding() {
  const {
    goals: choices,
    organization,
    memberships,
    isLastAdministrator,
    administrators,
  } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const [search] = useSearchParams()
  useShowNotifications(actionData?.notifications)
  const dialog = search.get('dialog')
  const closeTo = withoutDialog(search)
  const menu = (
    <Menu
      align="end"
      label={<span className="max-w-[calc(100vw-272px)] truncate sm:max-w-64">{organization.name}</span>}
    >
      <OrganizationChoices selected={organization.id} memberships={memberships} />
      <LeaveItem isLastAdministrator={isLastAdministrator} />
      {organization.mayDelete && <DeleteItem />}
    </Menu>
  )
  return (
    <ShownOrganizationProvider key={organization.id} value={organization.id}>
      {administrators ? (
        <OnboardingFrame
          title="Waiting for an administrator"
          text={`${organization.name} is not set up yet.`}
          menu={menu}
        >
          <WaitingOrganization organization={organization.name} administrators={administrators} />
        </OnboardingFrame>
      ) : (
        <OnboardingFrame title="Tell us about your team" menu={menu}>
          <Questionnaire goals={choices} lastResult={dialog ? undefined : actionData?.result} />
        </OnboardingFrame>
      )}
      {dialog === 'new-organization' && (
        <NewOrganizationDialog
          action={`${paths.onboarding()}?index&dialog=new-organization`}
          closeTo={closeTo}
          actionData={actionData}
        />
      )}
      {dialog === 'delete-organization' && organization.mayDelete && (
        <DeleteOrganizationDialog
          name={organization.name}
          action={`${paths.onboarding()}?index&dialog=delete-organization`}
          closeTo={closeTo}
          lastResult={actionData?.result}
        />
      )}
      {dialog === 'leave' && !isLastAdministrator && <LeaveOrganization name={organization.name} closeTo={closeTo} />}
    </ShownOrganizationProvider>
  )
}
