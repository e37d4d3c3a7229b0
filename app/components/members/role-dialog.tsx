import { type SubmissionResult, useForm } from '@conform-to/react'
import { useNavigation } from '@remix-run/react'
import type { MemberEdit } from '../../../contract/organizations/member'
import type { MemberView } from '../../../contract/views/organizations/member'
import { Dialog } from '../ui/dialogs/dialog'
import { DialogActions } from '../ui/dialogs/dialog-actions'
import { FormProblem } from '../ui/forms/form-problem'
import { OrganizationForm } from '../ui/forms/organization-form'
import { SelectField } from '../ui/forms/select-field'
import { roleHint, roleOptions } from './role-options'

interface RoleDialogProps {
  member: MemberView
  closeTo: string
  lastResult: SubmissionResult<string[]> | undefined
}

export function RoleDialog({ member, closeTo, lastResult }: RoleDialogProps) {
  const navigation = useNavigation()
  const [form, fields] = useForm<MemberEdit>({
    id: `role-${member.user_id}`,
    lastResult,
    defaultValue: { role: member.role },
  })
  return (
    <Dialog title={`Change the role of ${member.email}`} closeTo={closeTo}>
      <OrganizationForm replace id={form.id} noValidate data-guard className="grid gap-4">
        <input type="hidden" name="id" value={member.user_id} />
        <FormProblem errors={form.errors} />
        <SelectField field={fields.role} label="Role" required options={roleOptions} hint={roleHint} />
        <DialogActions closeTo={closeTo} submit="Save" intent="change-role" pending={navigation.state !== 'idle'} />
      </OrganizationForm>
    </Dialog>
  )
}
