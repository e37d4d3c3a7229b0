import { collectionEditSchema, collectionSchema } from '../../contract/collection'
import { isAppError } from '../../server/errors'
import { toast } from '../components/notifications/notification'
import { withoutDialog } from '../components/ui/query'
import { paths } from '../paths'
import { failureNotifications, submitForm } from './form.server'
import { redirectWith } from './notify.server'
import type { Visit } from './visit.server'

/** What the dialogs of collections send, from the list and from a collection's own page. */
export function actOnCollection({ app, actor, organizationId, url }: Visit, form: FormData, id: string) {
  switch (form.get('intent')) {
    case 'create-collection':
      return submitForm(form, collectionSchema, 'Failed to create collection', async (input) => {
        const made = await app.collections.create(actor, organizationId, input)
        return redirectWith(paths.collection(made.id), toast('success', 'Collection created successfully'))
      })
    case 'edit-collection':
      return submitForm(form, collectionEditSchema, 'Failed to edit collection', async (input) => {
        await app.collections.update(actor, organizationId, id, input)
        return redirectWith(
          url.pathname + withoutDialog(url.searchParams),
          toast('success', 'Collection edited successfully'),
        )
      })
    case 'delete-collection':
      return refusing('Failed to delete collection', url, async () => {
        await app.collections.remove(actor, organizationId, id)
        return redirectWith(paths.collections(), toast('success', 'Collection deleted successfully'))
      })
    default:
      return null
  }
}

/** An act of one button: a refusal leads back to the page, which shows it. */
export async function refusing(failed: string, url: URL, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (!isAppError(error)) throw error
    return redirectWith(url.pathname + withoutDialog(url.searchParams), ...failureNotifications(error, failed))
  }
}
