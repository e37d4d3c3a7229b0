import { type SubmissionResult, useForm } from '@conform-to/react'
import { useFetcher } from '@remix-run/react'
import type { OrganizationInput } from '../../../contract/organizations/organization'
import { useShowNotifications } from '../notifications/context'
import type { Notification } from '../notifications/notification'
import { Dialog } from '../ui/dialogs/dialog'
import { DialogActions } from '../ui/dialogs/dialog-actions'
import { FormProblem } from '../ui/forms/form-problem'
import { ShownOrganizationInput } from '../ui/forms/organization-form'
import { OrganizationFields } from './organization-fields'

export interface NewOrganizationAnswer {
  result: SubmissionResult<string[]>
  notifications: Notification[]
}

interface NewOrganizationDialogProps {
  /** The action that creates it. */
  action: string
  closeTo: string
  /** Result of the form if it was sent without a script. */
  actionData: NewOrganizationAnswer | undefined
}

/** Opens on every page, so a fetcher sends it, independently of the page's own forms. */
export function NewOrganizationDialog({ action, closeTo, actionData }: NewOrganizationDialogProps) {
  const fetcher = useFetcher<NewOrganizationAnswer>()
  const result = fetcher.data ?? actionData
  useShowNotifications(result?.notifications)
  const [form, fields] = useForm<OrganizationInput>({ id: 'new-organization', lastResult: result?.result })
  return (
    <Dialog
      title="New organization"
      description="It has its own members, collections, agents and plan. You become its administrator."
      closeTo={closeTo}
    >
      <fetcher.Form method="post" action={action} id={form.id} noValidate data-guard className="grid gap-4">
        <ShownOrganizationInput />
        <FormProblem errors={form.errors} />
        <OrganizationFields fields={fields} />
        <DialogActions
          closeTo={closeTo}
          submit="Create organization"
          intent="create-organization"
          pending={fetcher.state !== 'idle'}
        />
      </fetcher.Form>
    </Dialog>
  )
}
