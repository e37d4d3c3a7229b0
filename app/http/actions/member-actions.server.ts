import { invitationSchema, memberEditSchema } from '../../../contract/organizations/member'
import { toast } from '../../components/notifications/notification'
import { paths } from '../../paths'
import { redirectWith } from '../cookies/notifications.server'
import { submitForm } from '../forms/form.server'
import { redirectWithError } from '../forms/redirect-with-error.server'
import type { DashboardCall } from '../session/dashboard.server'
import { currentPage } from '../session/return-address.server'

/** Handles the dialogs of the members page. Null for an intent of another kind. */
export function handleMemberAction(call: DashboardCall, form: FormData) {
  const { services, actor, user, role: ownRole, organizationId, url, context } = call
  const id = String(form.get('id') ?? '')
  const done = (text: string, to = currentPage(url)) => redirectWith(context, to, toast('success', text))
  switch (form.get('intent')) {
    case 'invite':
      return submitForm(context, form, invitationSchema, 'Failed to create invitation', async (input) => {
        const { email, mail_status: mail } = await services.invitations.create(actor, organizationId, input)
        const next = mail === 'queued' ? 'We are sending it.' : 'Copy the link and send it.'
        return done(`Invitation for ${email} created. ${next}`)
      })
    case 'revoke-invitation':
      return redirectWithError('Failed to revoke invitation', call, async () => {
        await services.invitations.revoke(actor, { organizationId, invitationId: id })
        return done('Invitation revoked')
      })
    case 'change-role':
      return submitForm(context, form, memberEditSchema, 'Failed to change role', async (input) => {
        const { role } = await services.members.changeRole(actor, { organizationId, userId: id }, input)
        // Someone who gave up their own role may have lost access to this page.
        return done('Role changed', id === user.id && role !== ownRole ? paths.dashboard() : undefined)
      })
    case 'remove-member':
      return redirectWithError('Failed to remove member', call, async () => {
        await services.members.remove(actor, { organizationId, userId: id })
        return done('Member removed')
      })
    default:
      return null
  }
}
