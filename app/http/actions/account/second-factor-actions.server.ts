import { data } from '@remix-run/node'
import {
  authenticatorCodeSchema,
  passkeyOfferSchema,
  passkeySchema,
  passwordProofSchema,
} from '../../../../contract/organizations/second-factor'
import type { SecondFactorResult } from '../../../components/account/second-factor/second-factor-dialogs'
import { type Notification, toast } from '../../../components/notifications/notification'
import { redirectWith } from '../../cookies/notifications.server'
import { submitForm } from '../../forms/form.server'
import type { DashboardCall } from '../../session/dashboard.server'
import { currentPage } from '../../session/return-address.server'

const secrets = ['current_password', 'code']

/** Handles the forms that change the second factors of the person. Null for an intent of another kind. */
export function handleSecondFactorAction(
  { context, url }: Pick<DashboardCall, 'context' | 'url'>,
  request: Request,
  form: FormData,
) {
  const { secondFactor } = context.identity
  const { clientIp } = context
  const done = (text: string) => redirectWith(context, currentPage(url), toast('success', text))
  /** Not redirects: what these return is in this response only. */
  const answer = (result: SecondFactorResult) =>
    data({ result: undefined, ...result, notifications: [] as Notification[] })
  const added = (codes: string[] | null, text: string) => (codes ? answer({ codes }) : done(text))
  switch (form.get('intent')) {
    case 'offer-authenticator':
      return submitForm(
        context,
        form,
        passwordProofSchema,
        'Failed to set up the app',
        async (proof) => answer({ authenticator: await secondFactor.offerAuthenticator(request, clientIp, proof) }),
        secrets,
      )
    case 'set-authenticator':
      return submitForm(
        context,
        form,
        authenticatorCodeSchema,
        'Failed to set up the app',
        async (input) => added(await secondFactor.setAuthenticator(request, input), 'Authenticator app set up'),
        secrets,
      )
    case 'remove-authenticator':
      return submitForm(
        context,
        form,
        passwordProofSchema,
        'Failed to remove the app',
        async (proof) => {
          await secondFactor.removeAuthenticator(request, clientIp, proof)
          return done('Authenticator app removed')
        },
        secrets,
      )
    case 'offer-passkey':
      return submitForm(
        context,
        form,
        passkeyOfferSchema,
        'Failed to add the passkey',
        async (offer) => answer({ passkey: await secondFactor.offerPasskey(request, clientIp, offer) }),
        secrets,
      )
    case 'add-passkey':
      return submitForm(context, form, passkeySchema, 'Failed to add the passkey', async (input) =>
        added(await secondFactor.addPasskey(request, input), 'Passkey added'),
      )
    case 'remove-passkey':
      return submitForm(
        context,
        form,
        passwordProofSchema,
        'Failed to remove the passkey',
        async (proof) => {
          await secondFactor.removePasskey(request, clientIp, String(form.get('id') ?? ''), proof)
          return done('Passkey removed')
        },
        secrets,
      )
    case 'create-recovery-codes':
      return submitForm(
        context,
        form,
        passwordProofSchema,
        'Failed to create recovery codes',
        async (proof) => answer({ codes: await secondFactor.createRecoveryCodes(request, clientIp, proof) }),
        secrets,
      )
    default:
      return null
  }
}
