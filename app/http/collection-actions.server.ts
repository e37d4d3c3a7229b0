import { collectionEditSchema, collectionSchema } from '../../contract/collection'
import { toast } from '../components/notifications/notification'
import { paths } from '../paths'
import type { DashboardCall } from './dashboard.server'
import { type Failed, failureNotifications, submitForm } from './form.server'
import { redirectWith } from './notify.server'
import { currentPage } from './return-address.server'

/** What the dialogs of collections send, from the list and from a collection's own page. */
export function handleCollectionAction(call: DashboardCall, form: FormData, id: string) {
  const { app, actor, organizationId, url, context } = call
  switch (form.get('intent')) {
    case 'create-collection':
      return submitForm(context, form, collectionSchema, failedTo('create'), async (input) => {
        const made = await app.collections.create(actor, organizationId, input)
        return redirectWith(context, paths.collection(made.id), toast('success', 'Collection created successfully'))
      })
    case 'edit-collection':
      return submitForm(context, form, collectionEditSchema, 'Failed to edit collection', async (input) => {
        await app.collections.update(actor, organizationId, id, input)
        return redirectWith(context, currentPage(url), toast('success', 'Collection edited successfully'))
      })
    case 'delete-collection':
      return orFlash(failedTo('delete'), call, async () => {
        await app.collections.remove(actor, organizationId, id)
        return redirectWith(context, paths.collections(), toast('success', 'Collection deleted successfully'))
      })
    default:
      return null
  }
}

/** The contract ends these two with a full stop. */
function failedTo(act: 'create' | 'delete'): Failed {
  return {
    title: `Failed to ${act} collection`,
    unforeseen: 'Please try again later. Contact support if issue persists.',
  }
}

/** An act of one button: a refusal leads back to the page, which shows it. */
export async function orFlash(
  failed: Failed,
  { url, context }: Pick<DashboardCall, 'url' | 'context'>,
  work: () => Promise<Response>,
): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    return redirectWith(context, currentPage(url), ...failureNotifications(error, failed, context))
  }
}
