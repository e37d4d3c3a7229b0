import { type FieldMetadata, type SubmissionResult, useForm } from '@conform-to/react'
import { useNavigation } from '@remix-run/react'
import type { ReactNode } from 'react'
import { Dialog } from '../ui/dialogs/dialog'
import { DialogActions } from '../ui/dialogs/dialog-actions'
import { TextField } from '../ui/forms/field'
import { FormProblem } from '../ui/forms/form-problem'
import { OrganizationForm } from '../ui/forms/organization-form'

interface NameFields {
  name: string
  description: string
}

interface NameDialogProps<Fields extends NameFields> {
  /** What is named, such as 'agent', as intents have it. */
  kind: string
  title: string
  description?: string
  submit: string
  /** What is edited, with its values; undefined for a new one. */
  edited?: { id: string } & Partial<Fields>
  placeholder: string
  maxLengths: { name: number; description: number }
  closeTo: string
  lastResult: SubmissionResult<string[]> | undefined
  /** Other fields. */
  children?(fields: { [Name in keyof Fields]: FieldMetadata<Fields[Name]> }): ReactNode
}

/** Asks for a name, a description and other fields, to create something or to edit it. */
export function NameDialog<Fields extends NameFields>(props: NameDialogProps<Fields>) {
  const { kind, title, description, submit, edited, placeholder, maxLengths, closeTo, lastResult, children } = props
  const navigation = useNavigation()
  const [form, metadata] = useForm<NameFields>({
    id: `${kind}-${edited?.id ?? 'new'}`,
    lastResult,
    defaultValue: edited,
  })
  const fields = metadata as unknown as { [Name in keyof Fields]: FieldMetadata<Fields[Name]> }
  return (
    <Dialog title={title} description={description} closeTo={closeTo}>
      <OrganizationForm replace id={form.id} noValidate data-guard className="grid gap-4">
        {edited && <input type="hidden" name="id" value={edited.id} />}
        <FormProblem errors={form.errors} />
        <TextField field={metadata.name} label="Name" required maxLength={maxLengths.name} placeholder={placeholder} />
        <TextField field={metadata.description} label="Description" rows={3} maxLength={maxLengths.description} />
        {children?.(fields)}
        <DialogActions
          closeTo={closeTo}
          submit={submit}
          intent={`${edited ? 'edit' : 'create'}-${kind}`}
          pending={navigation.state !== 'idle'}
        />
      </OrganizationForm>
    </Dialog>
  )
}
