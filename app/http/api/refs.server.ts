import type { Actor } from '../../../server/actor'
import { AppError } from '../../../server/errors'
import type { AddressRef } from '../../../server/services/addresses/find-address'
import type { AgentRef } from '../../../server/services/agents/agents'
import type { ThreadRef } from '../../../server/services/chat/threads/threads'
import type { CollectionRef } from '../../../server/services/collections/collections'
import type { SourceRef } from '../../../server/services/source-rows/find-source'

type Param = (name: string) => string

/** The collection that the path of a /v1 route names. */
export function collectionRef(param: Param): CollectionRef {
  return { organizationId: param('orgId'), collectionId: param('collectionId') }
}

/** The source that the path of a /v1 route names. */
export function sourceRef(param: Param): SourceRef {
  return { ...collectionRef(param), sourceId: param('sourceId') }
}

/** The address that the path of a /v1 route names. */
export function addressRef(param: Param): AddressRef {
  return { ...collectionRef(param), addressId: param('addressId') }
}

/** The agent that the path of a /v1 route names. */
export function agentRef(param: Param): AgentRef {
  return { organizationId: param('orgId'), agentId: param('agentId') }
}

/** The thread that the path of a /v1 route names. */
export function threadRef(param: Param): ThreadRef {
  return { organizationId: param('orgId'), threadId: param('threadId') }
}

/** The agent of the key that a call was made with. */
export function agentOfKey(actor: Actor): AgentRef {
  if (actor.kind !== 'key' && actor.kind !== 'visitor') throw new AppError('not_found', 'This call requires a key.')
  return { organizationId: actor.organizationId, agentId: actor.agentId }
}
