import { toast } from '../components/notifications/notification'
import { withoutDialog } from '../components/ui/query'
import { refusing } from './collection-acts.server'
import { redirectWith } from './notify.server'
import type { Visit } from './visit.server'

/** What is done with one address, from the list and from the address's own page. */
export function actOnAddress(visit: Visit, form: FormData, collectionId: string) {
  const { app, actor, organizationId, url, context } = visit
  const id = String(form.get('id') ?? '')
  const back = url.pathname + withoutDialog(url.searchParams)
  switch (form.get('intent')) {
    case 'retry-address':
      return refusing('Failed to retry address', visit, async () => {
        await app.addresses.retry(actor, organizationId, collectionId, id)
        return redirectWith(context, back, toast('success', 'The address is read again'))
      })
    case 'ignore-address':
      return refusing('Failed to ignore address', visit, async () => {
        await app.addresses.ignore(actor, organizationId, collectionId, id)
        return redirectWith(context, back, toast('success', 'The address is left out'))
      })
    default:
      return null
  }
}
