import { type AgentStatus, agentStatuses } from '../../../contract/values/enumerations'
import { lengths } from '../../../contract/values/limits'
import type { Actor } from '../../actor'
import { AppError } from '../../errors'
import type { Agents } from '../agents/agents'
import type { Collections } from '../collections/collections'
import type { Sources } from '../sources/sources'

interface Deps {
  collections: Pick<Collections, 'create' | 'list' | 'remove'>
  sources: Pick<Sources, 'create'>
  agents: Pick<Agents, 'create' | 'list' | 'ofCollection'>
}

/** What the steps of the welcome card do for a new organization, each in one request. */
export function createFirstSteps({ collections, sources, agents }: Deps) {
  /** Creates a collection with the site as its source. `url` is a full address. Returns the collection's id. */
  async function addSite(actor: Actor, organizationId: string, url: string): Promise<string> {
    const name = new URL(url).host.slice(0, lengths.collectionName)
    const collection = { name, description: '' }
    const { id } = await collections.create(actor, organizationId, collection, { isNamedByHost: true })
    try {
      await sources.create(actor, { organizationId, collectionId: id }, { name, type: 'domain', url })
    } catch (error) {
      // The person corrects the address and sends it again, which would leave one empty collection each time.
      await collections.remove(actor, organizationId, id)
      throw error
    }
    return id
  }

  /**
   * Returns the id of an agent to ask, about one collection or about any: one that can answer, else one with a collection, else a new one that answers from
   * the latest collection that has text, or else from the latest. Throws conflict without a collection.
   */
  async function agentToAsk(actor: Actor, organizationId: string, collectionId: string | null): Promise<string> {
    const docs =
      collectionId === null
        ? (await agents.list(actor, organizationId, { page: 1, limit: 100 })).docs
        : await agents.ofCollection(actor, organizationId, collectionId)
    const ready = docs.find(({ status }) => status === agentStatuses.operational)
    const found = ready ?? docs.find(({ collection_id: linked, status }) => linked !== null && canAnswer(status))
    if (found) return found.id
    const { docs: latest } = await collections.list(actor, organizationId, { page: 1, limit: 100 })
    const collection = collectionId
      ? latest.find(({ id }) => id === collectionId)
      : (latest.find(({ fragments }) => fragments > 0) ?? latest[0])
    if (!collection) throw new AppError('conflict', 'Add a source first. An agent answers from its pages.')
    const { total } = await agents.list(actor, organizationId, { page: 1, limit: 1 })
    const name = total === 0 ? 'Assistant' : collection.name
    const agent = { name, description: '', useDefaults: true, collectionId: collection.id }
    return (await agents.create(actor, organizationId, agent)).id
  }

  return { addSite, agentToAsk }
}

/** Nobody gets to chat with an agent that a person has switched off. */
function canAnswer(status: AgentStatus): boolean {
  return status !== agentStatuses.disabled && status !== agentStatuses.archived
}
