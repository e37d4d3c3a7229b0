import { describe, expect, it } from 'vitest'
import type { OrganizationRole } from '../contract/values/enumerations'
import { type Actor, system } from './actor'
import { isAppError } from './errors'
import { type Action, actions, authorize, authorizeAgent, authorizeThread, can } from './policy'

const person = (role: OrganizationRole): Actor => ({
  kind: 'person',
  userId: 'u',
  staff: false,
  memberships: [{ organizationId: 'ours', role }],
})

/** Section 6 of the specification, written out, and the actions that it leaves open. */
const table: Record<Action, string> = {
  'organization:read': 'admin member viewer',
  'organization:details': 'admin',
  'organization:edit': 'admin',
  'organization:delete': 'admin',
  'member:read': 'admin',
  'member:edit': 'admin',
  'audit:read': 'admin',
  'organization:leave': 'admin member viewer',
  'collection:read': 'admin member viewer',
  'collection:edit': 'admin member',
  'source:read': 'admin member viewer',
  'source:edit': 'admin member',
  'agent:read': 'admin member viewer',
  'agent:add': 'admin member',
  'agent:edit': 'admin',
  'agent:chat': 'admin member viewer',
  'thread:read': 'admin member viewer',
  'thread:delete': 'admin',
  'thread:share': 'admin member viewer',
  'keychain:edit': 'admin',
}

describe('policy', () => {
  for (const action of actions) {
    it(`lets exactly ${table[action]} do ${action}`, () => {
      const roles = (['admin', 'member', 'viewer'] as const).filter((role) => can(person(role), action, 'ours'))
      expect(roles.join(' ')).toBe(table[action])
      expect(can(system, action, 'ours')).toBe(true)
    })
  }

  it('shows strangers nothing, and says to a member that the role is too low', () => {
    expect(codeOf(() => authorize(person('admin'), 'collection:read', 'theirs'))).toBe('not_found')
    expect(codeOf(() => authorize(person('viewer'), 'collection:edit', 'ours'))).toBe('forbidden')
    expect(codeOf(() => authorize(person('member'), 'collection:edit', 'ours'))).toBeNull()
  })

  const key: Actor = { kind: 'key', keyType: 'public', organizationId: 'ours', agentId: 'a' }
  const visitor: Actor = { ...key, kind: 'visitor', threadId: 't' }

  it('gives a key and its visitor one agent, and no action of the organization', () => {
    for (const actor of [key, visitor]) {
      for (const action of actions) expect(can(actor, action, 'ours')).toBe(false)
      expect(codeOf(() => authorizeAgent(actor, 'agent:chat', { organizationId: 'ours', agentId: 'a' }))).toBeNull()
      expect(codeOf(() => authorizeAgent(actor, 'agent:chat', { organizationId: 'ours', agentId: 'b' }))).toBe(
        'not_found',
      )
      expect(codeOf(() => authorizeAgent(actor, 'agent:chat', { organizationId: 'theirs', agentId: 'a' }))).toBe(
        'not_found',
      )
    }
  })

  it('gives a visitor one thread, and a key none', () => {
    for (const action of ['thread:share', 'thread:delete'] as const) {
      expect(codeOf(() => authorizeThread(visitor, action, { organizationId: 'ours', threadId: 't' }))).toBeNull()
      expect(codeOf(() => authorizeThread(visitor, action, { organizationId: 'ours', threadId: 'u' }))).toBe(
        'not_found',
      )
      expect(codeOf(() => authorizeThread(visitor, action, { organizationId: 'theirs', threadId: 't' }))).toBe(
        'not_found',
      )
      expect(codeOf(() => authorizeThread(key, action, { organizationId: 'ours', threadId: 't' }))).toBe('not_found')
    }
  })

  it('gives a platform administrator no rights in an organization of others', () => {
    expect(can({ ...person('admin'), staff: true } as Actor, 'collection:read', 'theirs')).toBe(false)
  })
})

function codeOf(work: () => void): string | null {
  try {
    work()
    return null
  } catch (error) {
    return isAppError(error) ? error.code : 'other'
  }
}
