import { organizationEditSchema } from '../../contract/organization'
import { toast } from '../components/notifications/notification'
import { paths } from '../paths'
import type { DashboardCall } from './dashboard.server'
import { submitForm } from './form.server'
import { redirectWith } from './notify.server'

/** What the dialog of the organization sends, from any page of the dashboard. */
export function handleOrganizationAction({ app, actor, organizationId, context }: DashboardCall, form: FormData) {
  const back = String(form.get('back') ?? '')
  // A choice of none is sent as no text, which is not one of the providers.
  const withoutProvider = form.get('default_agent_provider') === ''
  if (withoutProvider) form.delete('default_agent_provider')
  return submitForm(context, form, organizationEditSchema, 'Failed to update organization', async (edit) => {
    const { default_agent_provider: provider, default_agent_provider_key: key } = edit
    await app.organizations.update(actor, organizationId, {
      ...edit,
      default_agent_provider: withoutProvider ? null : provider,
      default_agent_provider_key: form.has('remove_key') && !key ? null : key,
    })
    return redirectWith(
      context,
      isInside(back) ? back : paths.dashboard(),
      toast('success', 'Organization edited successfully'),
    )
  })
}

/** Only ways within the dashboard: the field could lead elsewhere. */
function isInside(path: string): boolean {
  return /^\/dashboard(?:[/?]|$)/.test(path)
}
