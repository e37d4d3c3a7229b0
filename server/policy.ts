import type { OrganizationRole } from '../contract/enumerations'
import type { Actor } from './actor'
import { AppError } from './errors'

/** Role x action, as section 6 of the contract has it. Comments give the reason for what it leaves open. */
const allowed = {
  'organization:read': ['admin', 'member', 'viewer'],
  'organization:edit': ['admin'],
  // The contract does not name members. Their e-mail addresses and roles are for those who manage them.
  'member:read': ['admin'],
  // A member who could invite or promote others could make themselves an administrator.
  'member:edit': ['admin'],
  // Nobody has to stay; the service keeps the last administrator.
  'organization:leave': ['admin', 'member', 'viewer'],
  'collection:read': ['admin', 'member', 'viewer'],
  'collection:edit': ['admin', 'member'],
  'source:read': ['admin', 'member', 'viewer'],
  'source:edit': ['admin', 'member'],
  'agent:read': ['admin', 'member', 'viewer'],
  'agent:add': ['admin', 'member'],
  'agent:edit': ['admin'],
  'agent:chat': ['admin', 'member', 'viewer'],
  'thread:read': ['admin', 'member', 'viewer'],
  'thread:delete': ['admin'],
  // The contract does not restrict sharing by role.
  'thread:share': ['admin', 'member', 'viewer'],
  'keychain:edit': ['admin'],
} satisfies Record<string, OrganizationRole[]>

export type Action = keyof typeof allowed

export const actions = Object.keys(allowed) as Action[]

/** The actor's role in the organization; 'system' for the product itself; null for a stranger. */
export function roleIn(actor: Actor, organizationId: string): OrganizationRole | 'system' | null {
  if (actor.kind === 'system') return 'system'
  if (actor.kind !== 'person') return null
  return actor.memberships.find((membership) => membership.organizationId === organizationId)?.role ?? null
}

export function can(actor: Actor, action: Action, organizationId: string): boolean {
  const role = roleIn(actor, organizationId)
  return role === 'system' || (role !== null && (allowed[action] as OrganizationRole[]).includes(role))
}

/** Throws not_found for strangers, who learn nothing of an organization, and forbidden for a role that may not. */
export function authorize(actor: Actor, action: Action, organizationId: string): void {
  if (roleIn(actor, organizationId) === null) throw notFound()
  if (!can(actor, action, organizationId)) {
    throw new AppError(
      'forbidden',
      'Your role in this organization does not allow this. Ask an administrator of the organization.',
    )
  }
}

/** Like `authorize`, and lets a key or a visitor use the agent of the key. */
export function authorizeAgent(
  actor: Actor,
  action: 'agent:chat',
  ref: { organizationId: string; agentId: string },
): void {
  if (actor.kind === 'key' || actor.kind === 'visitor') {
    if (actor.organizationId !== ref.organizationId || actor.agentId !== ref.agentId) throw notFound()
  } else {
    authorize(actor, action, ref.organizationId)
  }
}

/** Like `authorize`, and lets a visitor use the own thread. */
export function authorizeThread(
  actor: Actor,
  action: 'thread:share' | 'thread:delete',
  ref: { organizationId: string; threadId: string },
): void {
  if (actor.kind === 'key' || actor.kind === 'visitor') {
    const isOwn = actor.kind === 'visitor' && actor.threadId === ref.threadId
    if (!isOwn || actor.organizationId !== ref.organizationId) throw notFound()
  } else {
    authorize(actor, action, ref.organizationId)
  }
}

/** The same for a missing id and for another organization's. */
export function notFound(): AppError {
  return new AppError('not_found', 'This does not exist or you do not have access to it.')
}
