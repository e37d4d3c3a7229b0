import type { SourceView } from '../../../contract/views/source'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog'
import { formatCounted } from '../ui/format'

export function DeleteSource({ source, closeTo }: { source: SourceView; closeTo: string }) {
  return (
    <ConfirmDialog
      title={`Delete ${source.name}?`}
      confirm="Delete source"
      closeTo={closeTo}
      values={{ intent: 'delete-source', id: source.id }}
    >
      <p>{consequencesOf(source)} This cannot be undone.</p>
    </ConfirmDialog>
  )
}

function consequencesOf({ type, addresses }: SourceView): string {
  if (type === 'file') {
    return 'The stored file and its fragments are deleted with it and are no longer found. Other sources and threads stay.'
  }
  const what = `Its ${formatCounted(addresses, 'URL')}`
  return `${what} and their fragments are deleted with it and are no longer found. The website itself, other sources and threads stay.`
}
