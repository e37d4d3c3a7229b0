import { type SubmissionResult, useForm } from '@conform-to/react'
import { useNavigation } from '@remix-run/react'
import type { OrganizationDeletion } from '../../../contract/organizations/organization'
import { lengths } from '../../../contract/values/limits'
import { Dialog } from '../ui/dialogs/dialog'
import { DialogActions } from '../ui/dialogs/dialog-actions'
import { TextField } from '../ui/forms/field'
import { FormProblem } from '../ui/forms/form-problem'
import { OrganizationForm } from '../ui/forms/organization-form'

interface DeleteOrganizationDialogProps {
  name: string
  /** The action that deletes it. */
  action: string
  closeTo: string
  lastResult: SubmissionResult<string[]> | undefined
}

export function DeleteOrganizationDialog({ name, action, closeTo, lastResult }: DeleteOrganizationDialogProps) {
  const navigation = useNavigation()
  const [form, fields] = useForm<OrganizationDeletion>({ id: 'delete-organization', lastResult })
  return (
    <Dialog
      title={`Delete ${name}?`}
      description={
        <>
          <p>
            This deletes the organization with everything in it, for all its members: collections with their sources,
            files and addresses, agents with their keys, threads with their messages, invitations and usage. Crawls end.
          </p>
          <p className="mt-2">
            The accounts of its members stay, and so do their other organizations. You cannot undo this.
          </p>
        </>
      }
      closeTo={closeTo}
    >
      <OrganizationForm replace action={action} id={form.id} noValidate className="grid gap-4">
        <FormProblem errors={form.errors} />
        <TextField
          field={fields.name}
          label="Name of the organization"
          hint={`To confirm, enter ${name}`}
          required
          maxLength={lengths.organizationName}
          autoComplete="off"
        />
        <DialogActions
          closeTo={closeTo}
          submit="Delete organization"
          variant="danger-solid"
          intent="delete-organization"
          pending={navigation.state !== 'idle'}
        />
      </OrganizationForm>
    </Dialog>
  )
}
