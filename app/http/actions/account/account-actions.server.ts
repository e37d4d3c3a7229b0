import { data } from '@remix-run/node'
import { accessTokenSchema } from '../../../../contract/organizations/access-token'
import { emailChangeSchema, passwordChangeSchema, personNameSchema } from '../../../../contract/organizations/account'
import { type Notification, toast } from '../../../components/notifications/notification'
import { paths } from '../../../paths'
import { redirectWith } from '../../cookies/notifications.server'
import { submitForm } from '../../forms/form.server'
import { redirectWithError } from '../../forms/redirect-with-error.server'
import type { DashboardCall } from '../../session/dashboard.server'
import { currentPage } from '../../session/return-address.server'
import { handleSecondFactorAction } from './second-factor-actions.server'

/** Handles the forms of the account page. Null for an intent of another kind. */
export function handleAccountAction(call: DashboardCall, request: Request, form: FormData) {
  const { services, actor, user, url, context } = call
  const { account } = context.identity
  const id = String(form.get('id') ?? '')
  const done = (text: string) => redirectWith(context, currentPage(url), toast('success', text))
  switch (form.get('intent')) {
    case 'rename':
      return submitForm(context, form, personNameSchema, 'Failed to save profile', async (name) => {
        await account.rename(request, name)
        return done('Profile saved')
      })
    case 'change-password':
      return submitForm(
        context,
        form,
        passwordChangeSchema,
        'Failed to change password',
        async (change) => {
          await account.changePassword(request, context.clientIp, change)
          return done('Password changed. Your other sessions have ended.')
        },
        ['current_password', 'new_password'],
      )
    case 'change-email':
      return submitForm(
        context,
        form,
        emailChangeSchema,
        'Failed to change e-mail address',
        async (change) => {
          await account.requestEmail(request, context.clientIp, change)
          return done(`We sent a link to ${change.email}.`)
        },
        ['current_password'],
      )
    case 'confirm-email':
      return redirectWithError(
        'Failed to change e-mail address',
        { url: new URL(paths.account(), url), context },
        async () => {
          await account.confirmEmail(request, String(form.get('token') ?? ''))
          return redirectWith(context, paths.account(), toast('success', 'E-mail address changed'))
        },
      )
    case 'want-notices':
      return redirectWithError('Failed to save', call, async () => {
        const isWanted = form.get('wanted') === 'on'
        await services.notices.want(actor, isWanted)
        return done(isWanted ? 'E-mails turned on' : 'E-mails turned off')
      })
    case 'end-session':
      return redirectWithError('Failed to end session', call, async () => {
        await account.endSession(request, id)
        return done('Session ended')
      })
    case 'end-other-sessions':
      return redirectWithError('Failed to end sessions', call, async () => {
        await account.endOtherSessions(request)
        return done('All other sessions have ended')
      })
    case 'create-token':
      return submitForm(context, form, accessTokenSchema, 'Failed to create access token', async (input) => {
        const created = await services.accessTokens.create(actor, user.id, input)
        // Not a redirect: the token is in this response only.
        return data({ created, result: undefined, notifications: [] as Notification[] })
      })
    case 'revoke-token':
      return redirectWithError('Failed to revoke access token', call, async () => {
        await services.accessTokens.revoke(actor, id)
        return done('Access token revoked')
      })
    default:
      return handleSecondFactorAction({ context, url }, request, form)
  }
}
