import { threadFilterSchema } from '../../../../contract/chat/thread-filter'
import { pluralize } from '../../../../contract/texts/pluralize'
import { toast } from '../../../components/notifications/notification'
import type { ShownThreadFilter } from '../../../components/threads/thread-filters'
import { paths } from '../../../paths'
import { redirectWith } from '../../cookies/notifications.server'
import { redirectWithError } from '../../forms/redirect-with-error.server'
import type { DashboardCall } from '../../session/dashboard.server'

/** Handles the dialog of the list of threads, which deletes those that match its filters. Null for other forms. */
export function handleDeleteThreadsAction(call: DashboardCall, form: FormData, filter: ShownThreadFilter) {
  return form.get('intent') === 'delete-threads' ? deleteThreads(call, form, filter) : null
}

function deleteThreads(call: DashboardCall, form: FormData, filter: ShownThreadFilter) {
  const { services, actor, organizationId, context } = call
  return redirectWithError('Failed to delete threads', call, async () => {
    const shown = threadFilterSchema.parse(filter)
    // Threads that began after the person saw the list stay.
    const loadedAt = threadFilterSchema.parse({ createdUntil: form.get('createdUntil') }).createdUntil
    const times = [shown.createdUntil, loadedAt].flatMap((time) => time?.getTime() ?? [])
    const createdUntil = times.length > 0 ? new Date(Math.min(...times)) : undefined
    const selection = { ...shown, createdUntil }
    const { deleted, remaining } = await services.threadSelections.remove(actor, organizationId, selection)
    const rest = remaining > 0 ? `. ${pluralize(remaining, 'more thread')} match: delete again` : ''
    return redirectWith(context, paths.threads(), toast('success', `${pluralize(deleted, 'thread')} deleted${rest}`))
  })
}
