import { collectionEditSchema, collectionSchema } from '../../../contract/collection'
import { toast } from '../../components/notifications/notification'
import { paths } from '../../paths'
import { redirectWith } from '../cookies/notifications.server'
import { type FailureTitle, submitForm } from '../forms/form.server'
import { redirectWithError } from '../forms/redirect-with-error.server'
import type { DashboardCall } from '../session/dashboard.server'
import { currentPage } from '../session/return-address.server'

/** Handles the dialogs of collections, on the list and on a collection's page. Null for an intent of another kind. */
export function handleCollectionAction(call: DashboardCall, form: FormData, id: string) {
  const { services, actor, organizationId, url, context } = call
  switch (form.get('intent')) {
    case 'create-collection':
      return submitForm(context, form, collectionSchema, failedTo('create'), async (input) => {
        const collection = await services.collections.create(actor, organizationId, input)
        return redirectWith(
          context,
          paths.collection(collection.id),
          toast('success', 'Collection created successfully'),
        )
      })
    case 'edit-collection':
      return submitForm(context, form, collectionEditSchema, 'Failed to edit collection', async (input) => {
        await services.collections.update(actor, organizationId, id, input)
        return redirectWith(context, currentPage(url), toast('success', 'Collection edited successfully'))
      })
    case 'delete-collection':
      return redirectWithError(failedTo('delete'), call, async () => {
        await services.collections.remove(actor, organizationId, id)
        return redirectWith(context, paths.collections(), toast('success', 'Collection deleted successfully'))
      })
    default:
      return null
  }
}

/** Title of a failure. In the contract, the messages of these two end with a full stop. */
function failedTo(act: 'create' | 'delete'): FailureTitle {
  return {
    title: `Failed to ${act} collection`,
    unexpected: 'Please try again later. Contact support if issue persists.',
  }
}
