import { type SubmissionResult, useForm } from '@conform-to/react'
import { useNavigation } from '@remix-run/react'
import type { VisitorKey } from '../../../contract/chat/visitor'
import { reasons } from '../roles'
import { Button } from '../ui/button'
import { Card, CardHead } from '../ui/card'
import { TextField } from '../ui/forms/field'
import { FormProblem } from '../ui/forms/form-problem'
import { OrganizationForm } from '../ui/forms/organization-form'
import { SelectField } from '../ui/forms/select-field'

interface EraseVisitorCardProps {
  mayErase: boolean
  lastResult: SubmissionResult<string[]> | undefined
}

interface EraseFields {
  intent: string
  by: string
  value: string
  confirm: string
}

const keys: { value: VisitorKey; label: string }[] = [
  { value: 'email', label: 'E-mail address' },
  { value: 'user', label: 'User id' },
  { value: 'session', label: 'Session id' },
  { value: 'thread', label: 'Thread id' },
]

/** Deletes everything that is stored of a visitor. */
export function EraseVisitorCard({ mayErase, lastResult }: EraseVisitorCardProps) {
  const navigation = useNavigation()
  const [form, fields] = useForm<EraseFields>({ id: 'erase-visitor', lastResult, defaultValue: { by: 'email' } })
  const { confirm } = fields
  return (
    <Card label="Erase a visitor">
      <CardHead title="Erase a visitor" />
      {mayErase ? (
        <OrganizationForm replace preventScrollReset id={form.id} noValidate className="grid gap-4 p-4">
          <FormProblem errors={form.errors} />
          <p className="text-soft">
            Deletes every thread of the visitor, with its messages. Your website sends the e-mail address and the ids
            with each question; a thread shows them under Details.
          </p>
          <div className="grid gap-4 sm:grid-cols-2">
            <SelectField field={fields.by} label="Find by" options={keys} required />
            <TextField field={fields.value} label="Value" required />
          </div>
          <label className="flex items-start gap-2.5">
            <input
              key={confirm.key}
              type="checkbox"
              name={confirm.name}
              aria-invalid={confirm.errors ? true : undefined}
              aria-describedby={confirm.errors ? confirm.errorId : undefined}
              className="mt-1"
            />
            <span>
              This cannot be undone.
              {confirm.errors && (
                <span id={confirm.errorId} role="alert" className="block text-danger">
                  {confirm.errors[0]}
                </span>
              )}
            </span>
          </label>
          <div>
            <Button
              variant="danger-solid"
              name="intent"
              value="erase-visitor"
              pending={navigation.formData?.get('intent') === 'erase-visitor'}
            >
              Erase visitor
            </Button>
          </div>
        </OrganizationForm>
      ) : (
        <p className="p-4 text-soft">{reasons.administrator}</p>
      )}
    </Card>
  )
}
