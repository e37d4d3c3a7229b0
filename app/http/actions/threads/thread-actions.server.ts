import { toast } from '../../../components/notifications/notification'
import { paths } from '../../../paths'
import { redirectWith } from '../../cookies/notifications.server'
import { redirectWithError } from '../../forms/redirect-with-error.server'
import type { DashboardCall } from '../../session/dashboard.server'
import { currentPage } from '../../session/return-address.server'

/** The contract gives a sharing failure the same title. */
const failed = 'Failed to delete thread'

/** Handles the buttons and dialogs of a thread, and redirects to `back`. Null for an intent of another kind. */
export function handleThreadAction(
  call: DashboardCall,
  form: FormData,
  threadId: string,
  back = currentPage(call.url),
) {
  const { services, actor, organizationId, context } = call
  const ref = { organizationId, threadId }
  switch (form.get('intent')) {
    case 'share-thread':
      return redirectWithError(failed, call, async () => {
        await services.sharedThreads.share(actor, ref)
        return redirectWith(context, back, toast('success', 'Thread shared successfully'))
      })
    case 'unshare-thread':
      return redirectWithError(failed, call, async () => {
        await services.sharedThreads.unshare(actor, ref)
        return redirectWith(context, back, toast('success', 'Thread is no longer shared'))
      })
    case 'delete-thread':
      return redirectWithError(failed, call, async () => {
        await services.threads.remove(actor, ref)
        return redirectWith(context, paths.threads(), toast('success', 'Thread deleted successfully'))
      })
    default:
      return null
  }
}
