import type { SubmissionResult } from '@conform-to/react'
import { lengths } from '../../../contract/values/limits'
import type { CollectionView } from '../../../contract/views/collection'
import { NameDialog } from '../named/name-dialog'

interface CollectionDialogProps {
  /** Undefined for a new collection. */
  collection?: Pick<CollectionView, 'id' | 'name' | 'description'>
  closeTo: string
  lastResult: SubmissionResult<string[]> | undefined
}

export function CollectionDialog({ collection, closeTo, lastResult }: CollectionDialogProps) {
  return (
    <NameDialog
      kind="collection"
      title={collection ? 'Edit collection' : 'Add a collection'}
      description={collection ? undefined : 'A collection groups the sources that an agent answers from.'}
      submit={collection ? 'Save' : 'Add collection'}
      edited={collection && { id: collection.id, name: collection.name, description: collection.description }}
      placeholder="Lamp manuals"
      maxLengths={{ name: lengths.collectionName, description: lengths.collectionDescription }}
      closeTo={closeTo}
      lastResult={lastResult}
    />
  )
}
