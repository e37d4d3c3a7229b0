import { type OrganizationRole, organizationRoles, roleLabels } from '../contract/values/enumerations'
import type { Actor } from './actor'
import { AppError } from './errors'

/**
 * Role x action: the table in section 6 of the contract, then what it leaves open, each with the reason. Views list what
 * their reader may do as `abilities`, so that pages repeat none of this.
 */
const allowed = {
  'agent:add': ['admin', 'member'],
  'collection:edit': ['admin', 'member'],
  'source:edit': ['admin', 'member'],
  // Deletes and edits agents, links collections, and opens Agent Settings.
  'agent:edit': ['admin'],
  'organization:edit': ['admin'],
  // API Settings and Widget Integration.
  'keychain:edit': ['admin'],
  'thread:delete': ['admin'],
  'thread:share': ['admin', 'member', 'viewer'],

  // All screens but those of the table show their content to every role.
  'organization:read': ['admin', 'member', 'viewer'],
  'collection:read': ['admin', 'member', 'viewer'],
  'source:read': ['admin', 'member', 'viewer'],
  'agent:read': ['admin', 'member', 'viewer'],
  'thread:read': ['admin', 'member', 'viewer'],
  // The chat panel depends on the agent's status alone. Asking is how a viewer uses an agent.
  'agent:chat': ['admin', 'member', 'viewer'],
  // Who belongs to it and what it used each month is for those who manage it.
  'organization:details': ['admin'],
  // It takes everything from all members, so it needs the right to edit everything.
  'organization:delete': ['admin'],
  // Nobody has to stay; the service keeps the last administrator.
  'organization:leave': ['admin', 'member', 'viewer'],
  // E-mail addresses and roles of members are for those who manage them.
  'member:read': ['admin'],
  // A member who could invite or promote others could make themselves an administrator.
  'member:edit': ['admin'],
  // The log names people and what they did, which is for those who manage them.
  'audit:read': ['admin'],
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
  if (roleIn(actor, organizationId) === null) throw strangerError(actor, organizationId)
  if (!can(actor, action, organizationId)) throw forbidden(leastRole(action))
}

/**
 * Like `authorize`, for a call that takes at least the role `least`, whatever it is about. Leaves keys and calls without an
 * organization to the service that does the work.
 */
export function authorizeRole(actor: Actor, least: OrganizationRole | 'staff', organizationId: string | null): void {
  if (least === 'staff') {
    assertStaff(actor)
    return
  }
  if (actor.kind !== 'person' || organizationId === null) return
  const role = roleIn(actor, organizationId)
  if (role === null) throw strangerError(actor, organizationId)
  if (ranks.indexOf(role) < ranks.indexOf(least)) throw forbidden(least)
}

const ranks: readonly (OrganizationRole | 'system')[] = ['viewer', 'member', 'admin', 'system']

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

/** Throws forbidden for a limited access token: what concerns the person, not an organization, takes their full rights. */
export function assertUnlimited(actor: Actor): void {
  if (actor.kind !== 'person' || !actor.isLimited) return
  throw new AppError(
    'forbidden',
    'This access token is limited to a role or an organization. Use one without these limits.',
  )
}

/**
 * Throws not_found for everybody but administrators of the platform, and the product itself. No role in an organization
 * gives this right, and the right gives no role.
 */
export function assertStaff(actor: Actor): void {
  if (actor.kind === 'system' || (actor.kind === 'person' && actor.staff)) return
  if (actor.kind === 'person' && actor.lacksSecondFactor?.staff)
    throw new AppError('forbidden', `Platform administrators need a second factor. ${setUpSecondFactor}`)
  throw notFound()
}

const setUpSecondFactor = 'Set one up on the page of your account.'

/** For an actor without a role in the organization. */
function strangerError(actor: Actor, organizationId: string): AppError {
  const lacksSecondFactor =
    actor.kind === 'person' && actor.lacksSecondFactor?.organizationIds.includes(organizationId) === true
  if (!lacksSecondFactor) return notFound()
  return new AppError('forbidden', `This organization requires a second factor. ${setUpSecondFactor}`)
}

function leastRole(action: Action): OrganizationRole {
  return organizationRoles.findLast((role) => (allowed[action] as OrganizationRole[]).includes(role)) ?? 'admin'
}

function forbidden(least: OrganizationRole): AppError {
  return new AppError('forbidden', `You need the ${roleLabels[least]} role for this.`)
}

/** The same for a missing id and for another organization's. */
export function notFound(): AppError {
  return new AppError('not_found', 'This does not exist or you do not have access to it.')
}
