import { organizationDeletionSchema, organizationEditSchema } from '../../../contract/organizations/organization'
import { toast } from '../../components/notifications/notification'
import { paths } from '../../paths'
import { redirectWith } from '../cookies/notifications.server'
import { submitForm } from '../forms/form.server'
import { redirectWithError } from '../forms/redirect-with-error.server'
import type { DashboardCall } from '../session/dashboard.server'
import { returnAddress } from '../session/return-address.server'
import { testConnection } from './connection-actions.server'
import { createOrganization } from './new-organization.server'

/** Handles the dialogs of the organization, which open on every page of the dashboard. */
export function handleOrganizationAction(call: DashboardCall, request: Request, form: FormData) {
  switch (form.get('intent')) {
    case 'test-connection':
      return testDefaults(call, form)
    case 'leave-organization':
      return leaveOrganization(call)
    case 'delete-organization':
      return deleteOrganization(call, form)
    case 'create-organization':
      return createOrganization({ ...call, request }, form)
    default:
      return saveOrganization(call, form)
  }
}

export function leaveOrganization(call: DashboardCall) {
  const { services, actor, user, organization, context } = call
  return redirectWithError('Failed to leave organization', call, async () => {
    await services.members.remove(actor, { organizationId: organization.id, userId: user.id })
    return redirectWith(context, paths.dashboard(), toast('success', `You left ${organization.name}`))
  })
}

export function deleteOrganization({ services, actor, organization, context }: DashboardCall, form: FormData) {
  const failed = 'Failed to delete organization'
  return submitForm(context, form, organizationDeletionSchema, failed, async (confirmation) => {
    await services.organizationDeletion.remove(actor, organization.id, confirmation)
    return redirectWith(context, paths.dashboard(), toast('success', `${organization.name} deleted`))
  })
}

/** The fields of the dialog have the names of the organization's columns. */
function testDefaults(call: DashboardCall, form: FormData) {
  const { services, actor, organizationId, context } = call
  for (const name of ['provider', 'model', 'provider_key']) form.set(name, form.get(`default_agent_${name}`) ?? '')
  const [firstModel = ''] = providerOf(form, context.settings.providers)?.models ?? []
  if (form.get('model') === '') form.set('model', firstModel)
  return testConnection(call, form, (input) => services.connectionTests.testOrganization(actor, organizationId, input))
}

function providerOf<View>(form: FormData, views: Record<string, View>): View | undefined {
  const name = String(form.get('provider'))
  return Object.hasOwn(views, name) ? views[name] : undefined
}

function saveOrganization({ services, actor, organizationId, context }: DashboardCall, form: FormData) {
  const back = returnAddress(form.get('back'), paths.dashboard())
  // 'None' is sent as empty text, which the schema would reject.
  const withoutProvider = form.get('default_agent_provider') === ''
  if (withoutProvider) form.delete('default_agent_provider')
  return submitForm(context, form, organizationEditSchema, 'Failed to update organization', async (edit) => {
    const { default_agent_provider: provider, default_agent_provider_key: key } = edit
    await services.organizations.update(actor, organizationId, {
      ...edit,
      default_agent_provider: withoutProvider ? null : provider,
      default_agent_provider_key: form.has('remove_key') && !key ? null : key,
    })
    return redirectWith(context, back, toast('success', 'Organization edited successfully'))
  })
}
