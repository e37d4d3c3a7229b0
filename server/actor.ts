import type { OrganizationRole } from '../contract/enumerations'

/** Who asks. The first argument of every service method. */
export type Actor =
  /** A signed-in person, by cookie or by bearer, acting in one organization of theirs (null before they have one). */
  | {
      kind: 'person'
      userId: string
      staff: boolean
      memberships: { organizationId: string; role: OrganizationRole }[]
    }
  /** The product itself: its jobs, its command line on the data folder. May act in every organization. */
  | { kind: 'system' }

export const system: Actor = { kind: 'system' }

/** Who has made something; null for what the product itself makes. */
export function personOf(actor: Actor): string | null {
  return actor.kind === 'person' ? actor.userId : null
}
