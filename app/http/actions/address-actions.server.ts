import { toast } from '../../components/notifications/notification'
import { redirectWith } from '../cookies/notifications.server'
import { redirectWithError } from '../forms/redirect-with-error.server'
import type { DashboardCall } from '../session/dashboard.server'
import { currentPage } from '../session/return-address.server'

/** Handles the actions on one address, from the table and from its own page. Null for an intent of another kind. */
export function handleAddressAction(call: DashboardCall, form: FormData, collectionId: string) {
  const { services, actor, organizationId, url, context } = call
  const ref = { organizationId, collectionId, addressId: String(form.get('id') ?? '') }
  const back = currentPage(url)
  switch (form.get('intent')) {
    case 'retry-address':
      return redirectWithError('Failed to retry address', call, async () => {
        await services.addresses.retry(actor, ref)
        return redirectWith(context, back, toast('success', 'Sitelore will fetch the address again'))
      })
    case 'ignore-address':
      return redirectWithError('Failed to ignore address', call, async () => {
        await services.addresses.ignore(actor, ref)
        return redirectWith(context, back, toast('success', 'Address ignored'))
      })
    default:
      return null
  }
}
