import { type SubmissionResult, useForm } from '@conform-to/react'
import { Form, useNavigation } from '@remix-run/react'
import type { PasswordChange } from '../../../contract/organizations/account'
import { passwordLength } from '../../../contract/values/limits'
import { Button } from '../ui/button'
import { Card, CardHead } from '../ui/card'
import { TextField } from '../ui/forms/field'
import { FormProblem } from '../ui/forms/form-problem'

/** Changes the password of the embedded provider. */
export function PasswordCard({ lastResult }: { lastResult: SubmissionResult<string[]> | undefined }) {
  const navigation = useNavigation()
  const [form, fields] = useForm<PasswordChange>({ id: 'password', lastResult })
  return (
    <Card label="Password">
      <CardHead title="Password" />
      <Form method="post" replace preventScrollReset id={form.id} noValidate data-guard className="grid gap-4 p-4">
        <FormProblem errors={form.errors} />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            field={fields.current_password}
            label="Current password"
            type="password"
            required
            autoComplete="current-password"
          />
          <TextField
            field={fields.new_password}
            label="New password"
            type="password"
            required
            autoComplete="new-password"
            hint={`At least ${passwordLength.min} characters. A few unrelated words make a good one.`}
          />
        </div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button
            variant="primary"
            name="intent"
            value="change-password"
            pending={navigation.formData?.get('intent') === 'change-password'}
          >
            Change password
          </Button>
          <p className="text-meta text-soft">Ends all your other sessions. Access tokens stay valid.</p>
        </div>
      </Form>
    </Card>
  )
}
