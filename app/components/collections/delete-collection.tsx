import { ConfirmDialog } from '../ui/dialogs/confirm-dialog'

export function DeleteCollection({
  collection,
  closeTo,
}: {
  collection: { id: string; name: string }
  closeTo: string
}) {
  return (
    <ConfirmDialog
      title={`Delete ${collection.name}?`}
      confirm="Delete collection"
      closeTo={closeTo}
      values={{ intent: 'delete-collection', id: collection.id }}
    >
      <p>
        Its sources, addresses and fragments are deleted with it. Agents linked to it stay, without a collection; their
        threads stay as well. This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}
