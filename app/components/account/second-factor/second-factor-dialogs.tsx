import type { SubmissionResult } from '@conform-to/react'
import { useSearchParams } from '@remix-run/react'
import type { AuthenticatorSetup, SecondFactorView } from '../../../../contract/views/organizations/second-factor'
import { withoutDialog } from '../../ui/browser/query'
import { AuthenticatorDialog } from './authenticator-dialog'
import { PasskeyDialog } from './passkey-dialog'
import { PasswordDialog } from './password-dialog'
import { RecoveryCodes } from './recovery-codes'

/** What the forms of the dialogs return. */
export interface SecondFactorResult {
  result?: SubmissionResult<string[]> | undefined
  authenticator?: AuthenticatorSetup & { setup: string }
  passkey?: { setup: string; options: string }
  /** New recovery codes, which are shown once. */
  codes?: string[]
}

/** The dialogs that change the second factors; which one is open is part of the address of the page. */
export function SecondFactorDialogs({
  factor,
  actionData,
}: {
  factor: SecondFactorView
  actionData: SecondFactorResult | undefined
}) {
  const [search] = useSearchParams()
  const closeTo = withoutDialog(search)
  const dialog = search.get('dialog')
  const passkey = factor.passkeys.find(({ id }) => id === search.get('id'))
  // Only the form that was sent shows the result.
  const resultOf = (...intents: string[]) =>
    intents.includes(String(actionData?.result?.initialValue?.intent)) ? actionData?.result : undefined
  if (actionData?.codes) return <RecoveryCodes codes={actionData.codes} closeTo={closeTo} />
  switch (dialog) {
    case 'authenticator':
      return (
        <AuthenticatorDialog
          offer={actionData?.authenticator}
          lastResult={resultOf('offer-authenticator', 'set-authenticator')}
          closeTo={closeTo}
        />
      )
    case 'passkey':
      return (
        <PasskeyDialog
          offer={actionData?.passkey}
          lastResult={resultOf('offer-passkey', 'add-passkey')}
          closeTo={closeTo}
        />
      )
    case 'remove-authenticator':
      return (
        <PasswordDialog
          title="Remove the authenticator app?"
          description="Its codes stop working. Without another second factor, your password alone logs you in, and you lose access to what requires one."
          intent="remove-authenticator"
          submit="Remove app"
          variant="danger-solid"
          lastResult={resultOf('remove-authenticator')}
          closeTo={closeTo}
        />
      )
    case 'remove-passkey':
      return passkey ? (
        <PasswordDialog
          title={`Remove ${passkey.name}?`}
          description="The passkey stops working here. Delete it on your device as well. Without another second factor, your password alone logs you in, and you lose access to what requires one."
          intent="remove-passkey"
          id={passkey.id}
          submit="Remove passkey"
          variant="danger-solid"
          lastResult={resultOf('remove-passkey')}
          closeTo={closeTo}
        />
      ) : null
    case 'recovery-codes':
      return (
        <PasswordDialog
          title="Create new recovery codes?"
          description="The former codes stop working."
          intent="create-recovery-codes"
          submit="Create codes"
          lastResult={resultOf('create-recovery-codes')}
          closeTo={closeTo}
        />
      )
    default:
      return null
  }
}
