import { useNavigation } from '@remix-run/react'
import { useState } from 'react'
import type { AgentView } from '../../../contract/views/chat/agent'
import { paths } from '../../paths'
import { LinkButton } from '../ui/button'
import { Dialog } from '../ui/dialogs/dialog'
import { DialogActions } from '../ui/dialogs/dialog-actions'
import { controlClasses } from '../ui/forms/field'
import { ListSearch, withChosen } from '../ui/forms/list-search'
import { OrganizationForm } from '../ui/forms/organization-form'
import type { CollectionChoices } from './collection-field'

interface LinkCollectionProps {
  agent: Pick<AgentView, 'id' | 'name' | 'collection_id' | 'collection'>
  choices: CollectionChoices
  closeTo: string
}

export function LinkCollection({ agent, choices: { collections, isSearchable }, closeTo }: LinkCollectionProps) {
  const navigation = useNavigation()
  // Stays an option while others are searched for.
  const [chosen, setChosen] = useState(agent.collection)
  const options = withChosen(collections, [chosen, agent.collection])
  if (collections.length === 0 && !isSearchable) {
    return (
      <Dialog title="Link a Collection" description="There is no collection to link yet." closeTo={closeTo}>
        <LinkButton to={`${paths.collections()}?dialog=create`} variant="primary">
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
      {isSearchable && (
        <div className="mb-3">
          <ListSearch label="Search collections" />
          {collections.length === 0 && (
            <p role="status" className="mt-1 text-meta text-soft">
              No collection has this name.
            </p>
          )}
        </div>
      )}
      <OrganizationForm replace data-guard className="grid gap-4">
        <input type="hidden" name="id" value={agent.id} />
        <div className="grid gap-1">
          <label htmlFor="collectionId" className="font-medium">
            Collection
          </label>
          <select
            id="collectionId"
            name="collectionId"
            value={chosen?.id ?? ''}
            onChange={({ currentTarget: { value } }) => setChosen(options.find(({ id }) => id === value))}
            className={controlClasses}
          >
            {agent.collection_id && <option value="">No collection (unlink)</option>}
            {options.map((collection) => (
              <option key={collection.id} value={collection.id}>
                {collection.name}
              </option>
            ))}
          </select>
        </div>
        <DialogActions closeTo={closeTo} submit="Save" intent="link-collection" pending={navigation.state !== 'idle'} />
      </OrganizationForm>
    </Dialog>
  )
}
