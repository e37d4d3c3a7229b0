import { embeddingModelSchema } from '../../../contract/collection'
import { toast } from '../../components/notifications/notification'
import { redirectWith } from '../cookies/notifications.server'
import { submitForm } from '../forms/form.server'
import { redirectWithError } from '../forms/redirect-with-error.server'
import type { DashboardCall } from '../session/dashboard.server'
import { currentPage } from '../session/return-address.server'

/** Handles the change of a collection's embedding model. Null for an intent of another kind. */
export function handleModelChangeAction(call: DashboardCall, form: FormData, collectionId: string) {
  const { services, actor, organizationId, url, context } = call
  const ref = { organizationId, collectionId }
  switch (form.get('intent')) {
    case 'change-model':
      return submitForm(context, form, embeddingModelSchema, 'Failed to change the model', async ({ model }) => {
        await services.modelChanges.start(actor, ref, model)
        return redirectWith(context, currentPage(url), toast('success', 'The new index is being built'))
      })
    case 'pause-model-change':
      return redirectWithError('Failed to pause the change', call, async () => {
        await services.modelChanges.pause(actor, ref)
        return redirectWith(context, currentPage(url), toast('success', 'Change paused'))
      })
    case 'resume-model-change':
      return redirectWithError('Failed to resume the change', call, async () => {
        await services.modelChanges.resume(actor, ref)
        return redirectWith(context, currentPage(url), toast('success', 'Change resumed'))
      })
    case 'cancel-model-change':
      return redirectWithError('Failed to cancel the change', call, async () => {
        await services.modelChanges.cancel(actor, ref)
        return redirectWith(context, currentPage(url), toast('success', 'Change cancelled'))
      })
    default:
      return null
  }
}
