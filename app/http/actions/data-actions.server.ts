import { z } from 'zod'
import { visitorErasureSchema } from '../../../contract/chat/visitor'
import { organizationEditSchema } from '../../../contract/organizations/organization'
import { pluralize } from '../../../contract/texts/pluralize'
import { toast } from '../../components/notifications/notification'
import { paths } from '../../paths'
import { redirectWith } from '../cookies/notifications.server'
import { submitForm } from '../forms/form.server'
import type { DashboardCall } from '../session/dashboard.server'

const { thread_days, visitor_data_days, run_days, audit_days } = organizationEditSchema.shape
const retentionFormSchema = z.object({
  thread_days,
  visitor_data_days,
  run_days,
  audit_days,
  replaces_old_threads: z
    .literal('on')
    .optional()
    .transform((value) => value === 'on'),
})
const erasureFormSchema = visitorErasureSchema.extend({ confirm: z.literal('on', 'Check the box to erase') })

/** Handles the forms of the page about data. Null for an intent of another kind. */
export function handleDataAction(call: DashboardCall, form: FormData) {
  switch (form.get('intent')) {
    case 'save-retention':
      return saveRetention(call, form)
    case 'erase-visitor':
      return eraseVisitor(call, form)
    default:
      return null
  }
}

function saveRetention({ services, actor, organizationId, context }: DashboardCall, form: FormData) {
  return submitForm(context, form, retentionFormSchema, 'Failed to update organization', async (edit) => {
    await services.organizations.update(actor, organizationId, edit)
    return redirectWith(context, paths.settingsData(), toast('success', 'Organization edited successfully'))
  })
}

function eraseVisitor({ services, actor, organizationId, context }: DashboardCall, form: FormData) {
  return submitForm(context, form, erasureFormSchema, 'Failed to erase the visitor', async ({ by, value }) => {
    const deleted = await services.eraseVisitor(actor, organizationId, by, value)
    return redirectWith(context, paths.settingsData(), toast('success', `${pluralize(deleted, 'thread')} deleted`))
  })
}
