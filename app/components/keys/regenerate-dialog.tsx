import { type SubmissionResult, useForm } from '@conform-to/react'
import { useNavigation } from '@remix-run/react'
import { Dialog } from '../ui/dialogs/dialog'
import { DialogActions } from '../ui/dialogs/dialog-actions'
import { FieldErrors } from '../ui/forms/field'
import { FormProblem } from '../ui/forms/form-problem'
import { OrganizationForm } from '../ui/forms/organization-form'
import { SelectField } from '../ui/forms/select-field'

interface RegenerateDialogProps {
  closeTo: string
  lastResult: SubmissionResult<string[]> | undefined
}

const choices = [
  { value: 'both', label: 'Both keys' },
  { value: 'public', label: 'The public key' },
  { value: 'private', label: 'The private key' },
]

/** Warns what stops working before keys are renewed. */
export function RegenerateDialog({ closeTo, lastResult }: RegenerateDialogProps) {
  const navigation = useNavigation()
  const [form, fields] = useForm<{ keys: string; confirm: string }>({
    id: 'regenerate',
    lastResult,
    defaultValue: { keys: 'both' },
  })
  const { confirm } = fields
  return (
    <Dialog
      title="Regenerate API keys?"
      description="A regenerated key stops working at once, and its open answers end. Websites with the widget need the new public key, and your programs the new private key. This cannot be undone."
      closeTo={closeTo}
    >
      <OrganizationForm replace preventScrollReset id={form.id} noValidate className="grid gap-4">
        <FormProblem errors={form.errors} />
        <SelectField field={fields.keys} label="Keys" required options={choices} />
        <div className="grid gap-1">
          <label className="flex items-start gap-2">
            <input
              type="checkbox"
              id={confirm.id}
              name={confirm.name}
              required
              aria-invalid={confirm.errors ? true : undefined}
              aria-describedby={confirm.errors && confirm.errorId}
              className="mt-0.5"
            />
            <span>
              I understand that the previous keys stop working. <em className="text-meta text-soft">*Required*</em>
            </span>
          </label>
          <FieldErrors id={confirm.errorId} errors={confirm.errors} />
        </div>
        <DialogActions
          closeTo={closeTo}
          submit="Regenerate"
          variant="danger-solid"
          intent="regenerate-keys"
          pending={navigation.formData?.get('intent') === 'regenerate-keys'}
        />
      </OrganizationForm>
    </Dialog>
  )
}
