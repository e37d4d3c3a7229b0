import { ConfirmDialog } from '../ui/dialogs/confirm-dialog'

/** Opens on every page of the dashboard. */
export function LeaveOrganization({ name, closeTo }: { name: string; closeTo: string }) {
  return (
    <ConfirmDialog
      title={`Leave ${name}?`}
      confirm="Leave organization"
      closeTo={closeTo}
      values={{ intent: 'leave-organization' }}
    >
      <p>You lose access immediately. Your work stays. To come back, you need an invitation.</p>
    </ConfirmDialog>
  )
}
