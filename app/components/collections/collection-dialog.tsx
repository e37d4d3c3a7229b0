import { type SubmissionResult, useForm } from '@conform-to/react'
import { useNavigation } from '@remix-run/react'
import type { CollectionInput } from '../../../contract/collection'
import { lengths } from '../../../contract/values/limits'
import type { CollectionView } from '../../../contract/views/collection'
import { Dialog } from '../ui/dialogs/dialog'
import { DialogActions } from '../ui/dialogs/dialog-actions'
import { TextField } from '../ui/forms/field'
import { FormProblem } from '../ui/forms/form-problem'
import { OrganizationForm } from '../ui/forms/organization-form'

interface CollectionDialogProps {
  /** Undefined for a new collection. */
  collection?: Pick<CollectionView, 'id' | 'name' | 'description'>
  closeTo: string
  lastResult: SubmissionResult<string[]> | undefined
}

export function CollectionDialog({ collection, closeTo, lastResult }: CollectionDialogProps) {
  const navigation = useNavigation()
  const [form, fields] = useForm<CollectionInput>({
    id: `collection-${collection?.id ?? 'new'}`,
    lastResult,
    defaultValue: collection && { name: collection.name, description: collection.description },
  })
  return (
    <Dialog
      title={collection ? 'Edit collection' : 'Add a collection'}
      description={collection ? undefined : 'A collection groups the sources that an agent answers from.'}
      closeTo={closeTo}
    >
      <OrganizationForm replace id={form.id} noValidate data-guard className="grid gap-4">
        {collection && <input type="hidden" name="id" value={collection.id} />}
        <FormProblem errors={form.errors} />
        <TextField
          field={fields.name}
          label="Name"
          required
          maxLength={lengths.collectionName}
          placeholder="Lamp manuals"
        />
        <TextField field={fields.description} label="Description" rows={3} maxLength={lengths.collectionDescription} />
        <DialogActions
          closeTo={closeTo}
          submit={collection ? 'Save' : 'Add collection'}
          intent={collection ? 'edit-collection' : 'create-collection'}
          pending={navigation.state !== 'idle'}
        />
      </OrganizationForm>
    </Dialog>
  )
}
