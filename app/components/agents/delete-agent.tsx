import { ConfirmDialog } from '../ui/dialogs/confirm-dialog'

export function DeleteAgent({ agent, closeTo }: { agent: { id: string; name: string }; closeTo: string }) {
  return (
    <ConfirmDialog
      title={`Delete ${agent.name}?`}
      confirm="Delete agent"
      closeTo={closeTo}
      values={{ intent: 'delete-agent', id: agent.id }}
    >
      <p>
        Integrations that use this agent stop working. Its threads and messages are not deleted, and neither is its
        collection. This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}
