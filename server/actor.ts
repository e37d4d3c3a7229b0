import type { OrganizationRole } from '../contract/values/enumerations'

/** A public key is meant for web pages, a private one for servers. */
export type KeyType = 'public' | 'private'

/** Who asks. The first argument of every service method. */
export type Actor =
  /** A signed-in person, by cookie or by bearer, acting in one organization of theirs (null before they have one). */
  | {
      kind: 'person'
      userId: string
      staff: boolean
      /** Those that the request may use, with the role that it has there. */
      memberships: { organizationId: string; role: OrganizationRole }[]
      /** Set for an access token that has a lower role or reaches only one organization. */
      isLimited?: true
      /** What the person has no rights in until they set up a second factor. */
      lacksSecondFactor?: { staff: boolean; organizationIds: string[] }
      /** The personal access token that the request sent. */
      tokenId?: string
    }
  /** A program that sends a key of an agent. May use that agent. */
  | { kind: 'key'; keyType: KeyType; organizationId: string; agentId: string }
  /** The visitor who began a thread with a key of its agent. May use the agent and that thread. */
  | { kind: 'visitor'; keyType: KeyType; organizationId: string; agentId: string; threadId: string }
  /** The product itself: its jobs, its command line on the data folder. May act in every organization. */
  | { kind: 'system' }

export const system: Actor = { kind: 'system' }

/** Who has made something; null for what the product itself makes. */
export function personOf(actor: Actor): string | null {
  return actor.kind === 'person' ? actor.userId : null
}
