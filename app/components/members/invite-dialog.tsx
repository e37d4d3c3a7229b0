import { type SubmissionResult, useForm } from '@conform-to/react'
import { useNavigation } from '@remix-run/react'
import type { InvitationInput } from '../../../contract/organizations/member'
import { Dialog } from '../ui/dialogs/dialog'
import { DialogActions } from '../ui/dialogs/dialog-actions'
import { TextField } from '../ui/forms/field'
import { FormProblem } from '../ui/forms/form-problem'
import { OrganizationForm } from '../ui/forms/organization-form'
import { SelectField } from '../ui/forms/select-field'
import { type InvitingSite, invitationDescription } from './invitation-description'
import { roleHint, roleOptions } from './role-options'

interface InviteDialogProps extends InvitingSite {
  closeTo: string
  lastResult: SubmissionResult<string[]> | undefined
}

export function InviteDialog({ closeTo, lastResult, ...site }: InviteDialogProps) {
  const navigation = useNavigation()
  const [form, fields] = useForm<InvitationInput>({ id: 'invite', lastResult, defaultValue: { role: 'member' } })
  return (
    <Dialog title="Invite someone" description={invitationDescription(site)} closeTo={closeTo}>
      <OrganizationForm replace id={form.id} noValidate data-guard className="grid gap-4">
        <FormProblem errors={form.errors} />
        <TextField field={fields.email} label="E-mail" type="email" required autoComplete="off" />
        <SelectField field={fields.role} label="Role" required options={roleOptions} hint={roleHint} />
        <DialogActions
          closeTo={closeTo}
          submit="Create invitation"
          intent="invite"
          pending={navigation.state !== 'idle'}
        />
      </OrganizationForm>
    </Dialog>
  )
}
