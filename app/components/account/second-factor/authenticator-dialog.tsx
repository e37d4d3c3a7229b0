import { type SubmissionResult, useForm } from '@conform-to/react'
import { Form, useNavigation } from '@remix-run/react'
import { useState } from 'react'
import type { AuthenticatorCode } from '../../../../contract/organizations/second-factor'
import type { AuthenticatorSetup } from '../../../../contract/views/organizations/second-factor'
import { CopyButton } from '../../copy-button'
import { Dialog } from '../../ui/dialogs/dialog'
import { DialogActions } from '../../ui/dialogs/dialog-actions'
import { TextField } from '../../ui/forms/field'
import { FormProblem } from '../../ui/forms/form-problem'
import { PasswordDialog } from './password-dialog'

type Offer = AuthenticatorSetup & { setup: string }

interface AuthenticatorDialogProps {
  /** The secret for the app; undefined until the password was right. */
  offer: Offer | undefined
  lastResult: SubmissionResult<string[]> | undefined
  closeTo: string
}

/** Asks for the password, then shows the secret for the app and asks for a code. */
export function AuthenticatorDialog({ offer, lastResult, closeTo }: AuthenticatorDialogProps) {
  const [shown, setShown] = useState(offer)
  // A wrong code comes back without the secret.
  if (offer && offer !== shown) setShown(offer)
  if (shown) return <CodeForm offer={shown} lastResult={lastResult} closeTo={closeTo} />
  return (
    <PasswordDialog
      title="Set up an authenticator app"
      description="You need an app such as 2FAS, Aegis or the one of your password manager."
      intent="offer-authenticator"
      submit="Continue"
      lastResult={lastResult}
      closeTo={closeTo}
    />
  )
}

function CodeForm({ offer, lastResult, closeTo }: AuthenticatorDialogProps & { offer: Offer }) {
  const navigation = useNavigation()
  const [form, fields] = useForm<AuthenticatorCode>({ id: 'set-authenticator', lastResult })
  const { size, path } = offer.qrCode
  return (
    <Dialog
      title="Set up an authenticator app"
      description="Scan the picture with the app, then enter the code that it shows."
      closeTo={closeTo}
    >
      <Form method="post" replace preventScrollReset id={form.id} noValidate className="grid gap-4">
        <FormProblem errors={form.errors} />
        <input type="hidden" name="setup" value={offer.setup} />
        <svg
          viewBox={`0 0 ${size} ${size}`}
          role="img"
          aria-label="QR code for the authenticator app"
          shapeRendering="crispEdges"
          className="mx-auto w-48"
        >
          {/* Readers expect dark squares on light, in the dark theme as well. */}
          <rect width={size} height={size} fill="white" />
          <path d={path} fill="black" />
        </svg>
        <div>
          <p className="text-meta text-soft">No camera? Enter this key into the app:</p>
          <span className="flex items-center gap-1">
            <code className="min-w-0 wrap-anywhere">{offer.secret.match(/.{1,4}/g)?.join(' ')}</code>
            <CopyButton text={offer.secret} />
          </span>
        </div>
        <TextField field={fields.code} label="Code" required inputMode="numeric" autoComplete="one-time-code" />
        <DialogActions
          closeTo={closeTo}
          submit="Set up"
          intent="set-authenticator"
          pending={navigation.formData?.get('intent') === 'set-authenticator'}
        />
      </Form>
    </Dialog>
  )
}
