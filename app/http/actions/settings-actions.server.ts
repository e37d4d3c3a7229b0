import { toast } from '../../components/notifications/notification'
import { paths } from '../../paths'
import { redirectWith } from '../cookies/notifications.server'
import { redirectWithError } from '../forms/redirect-with-error.server'
import type { DashboardCall } from '../session/dashboard.server'

/** Handles the forms of the settings page. Null for an intent of another kind. */
export function handleSettingsAction(call: DashboardCall, form: FormData) {
  switch (form.get('intent')) {
    case 'require-second-factor':
      return requireSecondFactor(call, form.get('required') === 'on')
    default:
      return null
  }
}

function requireSecondFactor(call: DashboardCall, isRequired: boolean) {
  const { services, actor, organizationId, context } = call
  return redirectWithError('Failed to update organization', call, async () => {
    await services.organizations.update(actor, organizationId, { requires_second_factor: isRequired })
    const text = isRequired ? 'Second factor required' : 'Second factor no longer required'
    return redirectWith(context, paths.settings(), toast('success', text))
  })
}
