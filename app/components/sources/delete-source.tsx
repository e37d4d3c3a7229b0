import type { SourceView } from '../../../contract/source'
import { ConfirmDialog } from '../ui/confirm-dialog'
import { formatCount } from '../ui/format'

export function DeleteSource({ source, closeTo }: { source: SourceView; closeTo: string }) {
  return (
    <ConfirmDialog
      title={`Delete ${source.name}?`}
      confirm="Delete source"
      closeTo={closeTo}
      values={{ intent: 'delete-source', id: source.id }}
    >
      <p>
        Its {formatCount(source.addresses)} addresses and their fragments are deleted with it and are no longer found.
        The website itself, other sources and threads stay. This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}
