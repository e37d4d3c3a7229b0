import { type SubmissionResult, useForm } from '@conform-to/react'
import { Form, useNavigation } from '@remix-run/react'
import { lowerRole, type OrganizationRole, organizationRoles, roleLabels } from '../../../contract/values/enumerations'
import { accessTokenLimits } from '../../../contract/values/limits'
import type { NewAccessToken } from '../../../contract/views/organizations/access-token'
import type { CurrentUserView } from '../../../contract/views/organizations/user'
import { CopyButton } from '../copy-button'
import { LinkButton } from '../ui/button'
import { Dialog } from '../ui/dialogs/dialog'
import { DialogActions } from '../ui/dialogs/dialog-actions'
import { controlClasses, TextField } from '../ui/forms/field'
import { FormProblem } from '../ui/forms/form-problem'
import { SelectField } from '../ui/forms/select-field'

interface TokenDialogProps {
  memberships: CurrentUserView['org_connections']
  closeTo: string
  lastResult: SubmissionResult<string[]> | undefined
  /** The token that the form created. */
  created: NewAccessToken | undefined
}

interface TokenForm {
  name: string
  role: string
  organization_id: string
  days: string
}

const expiries = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: String(accessTokenLimits.maxDays), label: '1 year' },
]

export function TokenDialog({ memberships, closeTo, lastResult, created }: TokenDialogProps) {
  const navigation = useNavigation()
  const [form, fields] = useForm<TokenForm>({ id: 'token', lastResult, defaultValue: { days: '30' } })
  if (created) return <CreatedToken created={created} closeTo={closeTo} />
  return (
    <Dialog
      title="New access token"
      description="A program that has the token can do what you can do, or less."
      closeTo={closeTo}
    >
      <Form method="post" replace preventScrollReset id={form.id} noValidate data-guard className="grid gap-4">
        <FormProblem errors={form.errors} />
        <TextField
          field={fields.name}
          label="Name"
          required
          maxLength={accessTokenLimits.nameLength}
          autoComplete="off"
          hint="What it is for, such as the name of the program."
        />
        <SelectField
          field={fields.role}
          label="Role"
          required
          placeholder="Same as yours"
          options={lowerRoles(memberships)}
          hint="In each organization the token has this role or yours, whichever allows less."
        />
        <SelectField
          field={fields.organization_id}
          label="Organization"
          required
          placeholder="All of yours"
          options={memberships.map(({ organization_id: value, organization }) => ({ value, label: organization.name }))}
        />
        <SelectField field={fields.days} label="Expires in" required options={expiries} />
        <DialogActions
          closeTo={closeTo}
          submit="Create token"
          intent="create-token"
          pending={navigation.formData?.get('intent') === 'create-token'}
        />
      </Form>
    </Dialog>
  )
}

function CreatedToken({ created, closeTo }: { created: NewAccessToken; closeTo: string }) {
  return (
    <Dialog title="Access token created" closeTo={closeTo}>
      <div className="grid gap-3">
        <p className="wrap-anywhere">
          <span className="font-medium">Copy the token {created.name} now.</span> It is not shown again.
        </p>
        <span className="flex items-center gap-1">
          <input readOnly value={created.token} aria-label="Access token" className={controlClasses} />
          <CopyButton text={created.token} />
        </span>
        <p className="text-meta text-soft">Keep it like a password. If it leaks, revoke it here.</p>
      </div>
      <div className="mt-5 flex justify-end">
        <LinkButton to={closeTo} replace preventScrollReset variant="primary">
          Done
        </LinkButton>
      </div>
    </Dialog>
  )
}

/** The roles below the person's highest one. */
function lowerRoles(memberships: { role: OrganizationRole }[]) {
  const highest = organizationRoles.find((role) => memberships.some((membership) => membership.role === role))
  return organizationRoles
    .filter((role) => highest !== undefined && role !== highest && lowerRole(role, highest) === role)
    .map((value) => ({ value, label: roleLabels[value] }))
}
