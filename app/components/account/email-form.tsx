import { type SubmissionResult, useForm } from '@conform-to/react'
import { Form, useNavigation } from '@remix-run/react'
import type { EmailChange } from '../../../contract/organizations/account'
import type { CurrentUserView } from '../../../contract/views/organizations/user'
import { Button } from '../ui/button'
import { TextField } from '../ui/forms/field'
import { FormProblem } from '../ui/forms/form-problem'

interface EmailFormProps {
  user: CurrentUserView
  sendsMail: boolean
  lastResult: SubmissionResult<string[]> | undefined
}

/** The e-mail address of the embedded provider, with a form to change it if the site can mail a link. */
export function EmailForm({ user, sendsMail, lastResult }: EmailFormProps) {
  const navigation = useNavigation()
  const [form, fields] = useForm<EmailChange>({ id: 'email-change', lastResult })
  return (
    <div className="grid gap-4 border-t border-line pt-5">
      <div>
        <p className="font-medium">E-mail</p>
        <p className="mt-1 wrap-anywhere text-soft">{user.email}</p>
        <p className="mt-1 text-meta text-soft">
          You log in with this address.
          {!sendsMail && ' It cannot be changed, because this site sends no e-mail to confirm a new one.'}
        </p>
      </div>
      {sendsMail && (
        <Form method="post" replace preventScrollReset id={form.id} noValidate data-guard className="grid gap-4">
          <FormProblem errors={form.errors} />
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField field={fields.email} label="New e-mail address" type="email" required autoComplete="email" />
            <TextField
              field={fields.current_password}
              label="Your password"
              type="password"
              required
              autoComplete="current-password"
            />
          </div>
          <div>
            <Button name="intent" value="change-email" pending={navigation.formData?.get('intent') === 'change-email'}>
              Send a link to the new address
            </Button>
          </div>
        </Form>
      )}
    </div>
  )
}
