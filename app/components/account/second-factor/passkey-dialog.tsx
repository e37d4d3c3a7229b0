import { type SubmissionResult, useForm } from '@conform-to/react'
import { Form, useNavigation, useSubmit } from '@remix-run/react'
import { useEffect, useState } from 'react'
import type { PasskeyOffer } from '../../../../contract/organizations/second-factor'
import { passkeyLimits } from '../../../../contract/values/limits'
import { Dialog } from '../../ui/dialogs/dialog'
import { DialogActions } from '../../ui/dialogs/dialog-actions'
import { TextField } from '../../ui/forms/field'
import { FormProblem } from '../../ui/forms/form-problem'

interface PasskeyDialogProps {
  /** Undefined until the password was right. */
  offer: { setup: string; options: string } | undefined
  lastResult: SubmissionResult<string[]> | undefined
  closeTo: string
}

const notCreated = 'Your browser did not create a passkey. Try again, or use another browser or device.'

/** Asks for a name and the password, then makes the browser create a passkey. */
export function PasskeyDialog({ offer, lastResult, closeTo }: PasskeyDialogProps) {
  const navigation = useNavigation()
  const submit = useSubmit()
  const [problem, setProblem] = useState<string | null>(null)
  const [isCreating, setIsCreating] = useState(false)
  const [form, fields] = useForm<PasskeyOffer>({ id: 'offer-passkey', lastResult })

  useEffect(() => {
    if (!offer) return
    let isShown = true
    setProblem(null)
    setIsCreating(true)
    create(offer.options)
      .then((credential) => {
        const values = { intent: 'add-passkey', setup: offer.setup, credential }
        if (isShown) submit(values, { method: 'post', replace: true, preventScrollReset: true })
      })
      .catch(() => isShown && setProblem(notCreated))
      .finally(() => isShown && setIsCreating(false))
    return () => {
      isShown = false
    }
  }, [offer, submit])

  return (
    <Dialog
      title="Add a passkey"
      description="Your browser asks you to create it once you have entered your password."
      closeTo={closeTo}
    >
      <Form method="post" replace preventScrollReset id={form.id} noValidate className="grid gap-4">
        <FormProblem errors={problem === null ? form.errors : [problem]} />
        <TextField
          field={fields.name}
          label="Name"
          required
          maxLength={passkeyLimits.nameLength}
          autoComplete="off"
          hint="Where it is, such as the name of your phone."
        />
        <TextField
          field={fields.current_password}
          label="Your password"
          type="password"
          required
          autoComplete="current-password"
        />
        <DialogActions
          closeTo={closeTo}
          submit="Continue"
          intent="offer-passkey"
          pending={isCreating || navigation.state === 'submitting'}
        />
      </Form>
    </Dialog>
  )
}

/** The passkey that the browser creates, as JSON. */
async function create(options: string): Promise<string> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(options))
  const credential = await navigator.credentials.create({ publicKey })
  if (!(credential instanceof PublicKeyCredential)) throw new Error('The browser created no passkey')
  return JSON.stringify(credential.toJSON())
}
