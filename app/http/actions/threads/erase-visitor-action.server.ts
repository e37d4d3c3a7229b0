import { pluralize } from '../../../../contract/texts/pluralize'
import { toast } from '../../../components/notifications/notification'
import { paths } from '../../../paths'
import { redirectWith } from '../../cookies/notifications.server'
import { redirectWithError } from '../../forms/redirect-with-error.server'
import type { DashboardCall } from '../../session/dashboard.server'

/** Handles the dialog of a thread that erases its visitor. Null for other forms. */
export function handleEraseVisitorAction(call: DashboardCall, form: FormData, threadId: string) {
  return form.get('intent') === 'erase-visitor' ? eraseVisitor(call, threadId) : null
}

function eraseVisitor(call: DashboardCall, threadId: string) {
  const { services, actor, organizationId, context } = call
  return redirectWithError('Failed to erase the visitor', call, async () => {
    const deleted = await services.eraseVisitor(actor, organizationId, 'thread', threadId)
    return redirectWith(context, paths.threads(), toast('success', `${pluralize(deleted, 'thread')} deleted`))
  })
}
