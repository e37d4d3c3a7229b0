import type { Actor } from '../../../../server/actor'
import { AppError } from '../../../../server/errors'
import type { AddressRef } from '../../../../server/services/addresses/find-address'
import type { AgentRef } from '../../../../server/services/agents/agents'
import type { ThreadRef } from '../../../../server/services/chat/threads/threads'
import type { CollectionRef } from '../../../../server/services/collections/collections'
import type { SourceRef } from '../../../../server/services/source-rows/find-source'

type Params<Name extends string> = Readonly<Record<'orgId' | Name, string>>

/** The collection that the path of a call names. */
export function collectionRef({ orgId, collectionId }: Params<'collectionId'>): CollectionRef {
  return { organizationId: orgId, collectionId }
}

/** The source that the path of a call names. */
export function sourceRef({ orgId, collectionId, sourceId }: Params<'collectionId' | 'sourceId'>): SourceRef {
  return { organizationId: orgId, collectionId, sourceId }
}

/** The address that the path of a call names. */
export function addressRef({ orgId, collectionId, addressId }: Params<'collectionId' | 'addressId'>): AddressRef {
  return { organizationId: orgId, collectionId, addressId }
}

/** The agent that the path of a call names. */
export function agentRef({ orgId, agentId }: Params<'agentId'>): AgentRef {
  return { organizationId: orgId, agentId }
}

/** The thread that the path of a call names. */
export function threadRef({ orgId, threadId }: Params<'threadId'>): ThreadRef {
  return { organizationId: orgId, threadId }
}

/** The agent of the key that a call was made with. */
export function agentOfKey(actor: Actor): AgentRef {
  if (actor.kind !== 'key' && actor.kind !== 'visitor') throw new AppError('not_found', 'This call requires a key.')
  return { organizationId: actor.organizationId, agentId: actor.agentId }
}
