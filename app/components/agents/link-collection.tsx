import { Form, useNavigation } from '@remix-run/react'
import type { AgentView } from '../../../contract/views/agent'
import { paths } from '../../paths'
import { LinkButton } from '../ui/button'
import { Dialog } from '../ui/dialogs/dialog'
import { DialogActions } from '../ui/dialogs/dialog-actions'
import { controlClasses } from '../ui/forms/field'

interface LinkCollectionProps {
  agent: Pick<AgentView, 'id' | 'name' | 'collection_id'>
  collections: { id: string; name: string }[]
  closeTo: string
}

export function LinkCollection({ agent, collections, closeTo }: LinkCollectionProps) {
  const navigation = useNavigation()
  if (collections.length === 0) {
    return (
      <Dialog title="Link a Collection" description="There is no collection to link yet." closeTo={closeTo}>
        <LinkButton to={`${paths.collections()}?dialog=create`} look="primary">
          Add a collection
        </LinkButton>
      </Dialog>
    )
  }
  return (
    <Dialog
      title="Link a Collection"
      description={`${agent.name} answers from the collection that you choose.`}
      closeTo={closeTo}
    >
      <Form method="post" replace data-guard className="grid gap-1">
        <input type="hidden" name="id" value={agent.id} />
        <label htmlFor="collectionId" className="font-[550]">
          Collection
        </label>
        <select
          id="collectionId"
          name="collectionId"
          defaultValue={agent.collection_id ?? undefined}
          className={controlClasses}
        >
          {agent.collection_id && <option value="">No collection (unlink)</option>}
          {collections.map((collection) => (
            <option key={collection.id} value={collection.id}>
              {collection.name}
            </option>
          ))}
        </select>
        <DialogActions closeTo={closeTo} submit="Save" intent="link-collection" pending={navigation.state !== 'idle'} />
      </Form>
    </Dialog>
  )
}
