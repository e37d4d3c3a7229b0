import type { CollectionChoices } from '../../components/agents/collection-field'
import { listSearchOf } from '../../components/ui/forms/list-search'
import { type DashboardCall, loadErrors, orMessage } from '../session/dashboard.server'

/** Limit of the choices: as many as a page of a list can hold. */
const maxChoices = 100

/** The collections that an agent can be linked to: the latest, or those that the query searches for. */
export async function collectionChoices({
  services,
  actor,
  organizationId,
  url,
}: Pick<DashboardCall, 'services' | 'actor' | 'organizationId' | 'url'>): Promise<CollectionChoices> {
  const search = listSearchOf(url.searchParams)
  const { docs, total } = await orMessage(
    services.collections.list(actor, organizationId, { page: 1, limit: maxChoices, search }),
    loadErrors.collections,
  )
  const collections = docs.map(({ id, name }) => ({ id, name }))
  return { collections, isSearchable: search !== undefined || total > docs.length }
}
