import { type SubmissionResult, useForm } from '@conform-to/react'
import { Form, useNavigation } from '@remix-run/react'
import type { PasswordProof } from '../../../../contract/organizations/second-factor'
import type { ButtonVariant } from '../../ui/button'
import { Dialog } from '../../ui/dialogs/dialog'
import { DialogActions } from '../../ui/dialogs/dialog-actions'
import { TextField } from '../../ui/forms/field'
import { FormProblem } from '../../ui/forms/form-problem'

interface PasswordDialogProps {
  title: string
  description: string
  intent: string
  id?: string
  submit: string
  variant?: ButtonVariant
  lastResult: SubmissionResult<string[]> | undefined
  closeTo: string
}

/** Asks for the password before a change. */
export function PasswordDialog({
  title,
  description,
  intent,
  id,
  submit,
  variant,
  lastResult,
  closeTo,
}: PasswordDialogProps) {
  const navigation = useNavigation()
  const [form, fields] = useForm<PasswordProof>({ id: intent, lastResult })
  return (
    <Dialog title={title} description={description} closeTo={closeTo}>
      <Form method="post" replace preventScrollReset id={form.id} noValidate className="grid gap-4">
        <FormProblem errors={form.errors} />
        {id !== undefined && <input type="hidden" name="id" value={id} />}
        <TextField
          field={fields.current_password}
          label="Your password"
          type="password"
          required
          autoComplete="current-password"
        />
        <DialogActions
          closeTo={closeTo}
          submit={submit}
          {...(variant ? { variant } : {})}
          intent={intent}
          pending={navigation.formData?.get('intent') === intent}
        />
      </Form>
    </Dialog>
  )
}
