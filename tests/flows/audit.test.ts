import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { keychainSchema } from '../../contract/organizations/keychain'
import { auditActionNames } from '../../contract/values/audit'
import { auditEvents } from '../../db/schema/audit'
import { threads } from '../../db/schema/threads'
import { accounts } from '../../db/schema/users'
import { type Actor, system } from '../../server/actor'
import type { App } from '../../server/app'
import { acceptInvitation } from '../../server/identity/links/invitations'
import { openTestApp } from '../support/app'
import { createTestCli } from '../support/cli'
import { writeTinyModel } from '../support/embedding/tiny-model'
import { createPerson } from '../support/people/people'

// One organization; each action is recorded once, with who did it, to what, and which fields changed.

let app: App
let dataDir: string
let organizationId: string
let admin: Actor & { kind: 'person'; email: string }

beforeAll(async () => {
  const opened = await openTestApp()
  app = opened.app
  dataDir = opened.dataDir
})
afterAll(() => app.close())
beforeEach(async () => {
  organizationId = (await app.services.organizations.create(system, { name: 'Fennel', entity_name: '' })).id
  admin = await createPerson(app, { [organizationId]: 'admin' })
})

const secret = 'sk-never-in-the-log'
const prompt = 'Never say this in the log.'
const named = { name: 'Helper', description: '' }

async function newAgent(): Promise<{ organizationId: string; agentId: string }> {
  return {
    organizationId,
    agentId: (await app.services.agents.create(system, organizationId, { ...named, useDefaults: false })).id,
  }
}
async function newThread(publishedAt: Date | null = null): Promise<{ organizationId: string; threadId: string }> {
  const values = { organizationId, title: prompt, publishedAt }
  const [row] = await app.db.write((tx) => tx.insert(threads).values(values).returning({ id: threads.id }))
  return { organizationId, threadId: row?.id ?? '' }
}
const newMember = () => createPerson(app, { [organizationId]: 'viewer' })
const newInvitation = () =>
  app.services.invitations.create(system, organizationId, { email: 'grace@example.com', role: 'viewer' })
const newCollection = () => app.services.collections.create(system, organizationId, { name: 'Docs', description: '' })

interface Scenario {
  action: (typeof auditActionNames)[number]
  /** Does it, and returns the id and the name of the thing. */
  act(): Promise<[id: string, name: string]>
  changes?: object[]
}

const scenarios: Record<string, Scenario> = {
  'changing a role': {
    action: 'member.role-changed',
    async act() {
      const { userId, email } = await newMember()
      await app.services.members.changeRole(admin, { organizationId, userId }, { role: 'member' })
      return [userId, email]
    },
    changes: [{ field: 'role', from: 'viewer', to: 'member' }],
  },
  'removing a member': {
    action: 'member.removed',
    async act() {
      const { userId, email } = await newMember()
      await app.services.members.remove(admin, { organizationId, userId })
      return [userId, email]
    },
  },
  leaving: {
    action: 'member.left',
    async act() {
      await createPerson(app, { [organizationId]: 'admin' })
      await app.services.members.remove(admin, { organizationId, userId: admin.userId })
      return [admin.userId, admin.email]
    },
  },
  'accepting an invitation': {
    action: 'member.joined',
    async act() {
      const { id, email, role } = await newInvitation()
      const invitation = { id, email, role, organizationId, organizationName: 'Fennel', invitedBy: null }
      admin = await createPerson(app)
      await app.db.write((tx) => acceptInvitation(tx, invitation, admin.userId))
      return [admin.userId, email]
    },
    changes: [{ field: 'role', to: 'viewer' }],
  },
  inviting: {
    action: 'invitation.created',
    async act() {
      const input = { email: 'ada@example.com', role: 'member' } as const
      return [(await app.services.invitations.create(admin, organizationId, input)).id, input.email]
    },
    changes: [{ field: 'role', to: 'member' }],
  },
  'revoking an invitation': {
    action: 'invitation.revoked',
    async act() {
      const { id, email } = await newInvitation()
      await app.services.invitations.revoke(admin, { organizationId, invitationId: id })
      return [id, email]
    },
  },
  'editing the organization': {
    action: 'organization.edited',
    async act() {
      const edit = { name: 'Dill', default_agent_provider: 'openai', default_agent_provider_key: secret } as const
      await app.services.organizations.update(admin, organizationId, edit)
      return [organizationId, 'Dill']
    },
    changes: [{ field: 'name' }, { field: 'default_agent_provider' }, { field: 'default_agent_provider_key' }],
  },
  'deleting the organization': {
    action: 'organization.deleted',
    async act() {
      await app.services.organizationDeletion.remove(admin, organizationId, { name: 'Fennel' })
      return [organizationId, 'Fennel']
    },
  },
  "editing an agent's settings": {
    action: 'agent.edited',
    async act() {
      const ref = await newAgent()
      const settings = { provider: 'openai', model: 'gpt-4.1-nano', prompt, provider_key: secret } as const
      await app.services.agents.saveSettings(admin, ref, settings)
      return [ref.agentId, 'Helper']
    },
    changes: [{ field: 'provider' }, { field: 'provider_key' }, { field: 'model' }, { field: 'prompt' }],
  },
  'linking a collection': {
    action: 'agent.edited',
    async act() {
      const ref = await newAgent()
      await app.services.agents.link(admin, ref, { collectionId: (await newCollection()).id })
      return [ref.agentId, 'Helper']
    },
    changes: [{ field: 'collection_id' }],
  },
  'deleting an agent': {
    action: 'agent.deleted',
    async act() {
      const ref = await newAgent()
      await app.services.agents.remove(admin, ref)
      return [ref.agentId, 'Helper']
    },
  },
  'creating keys': {
    action: 'keychain.created',
    async act() {
      const ref = await newAgent()
      await app.services.keychains.save(admin, ref, keychainSchema.parse({}))
      return [ref.agentId, 'Helper']
    },
  },
  'changing the rules of keys': {
    action: 'keychain.edited',
    async act() {
      const ref = await newAgent()
      await app.services.keychains.save(system, ref, keychainSchema.parse({}))
      await app.services.keychains.save(admin, ref, keychainSchema.parse({ allowedIps: '203.0.113.7', rateLimit: 90 }))
      return [ref.agentId, 'Helper']
    },
    changes: [{ field: 'allowed_ips' }, { field: 'rate_limit' }],
  },
  'regenerating a key': {
    action: 'keychain.regenerated',
    async act() {
      const ref = await newAgent()
      await app.services.keychains.save(system, ref, keychainSchema.parse({}))
      await app.services.keychains.save(admin, ref, keychainSchema.parse({ regenerate: 'private' }))
      return [ref.agentId, 'Helper']
    },
    changes: [{ field: 'private_key' }],
  },
  'creating an access token': {
    action: 'token.created',
    async act() {
      const input = { name: 'Deploy', role: null, organization_id: null, days: 1 }
      return [(await app.services.accessTokens.create(admin, admin.userId, input)).id, 'Deploy']
    },
  },
  'revoking an access token': {
    action: 'token.revoked',
    async act() {
      const input = { name: 'Deploy', role: null, organization_id: organizationId, days: 1 }
      const { id } = await app.services.accessTokens.create(system, admin.userId, input)
      await app.services.accessTokens.revoke(admin, id)
      return [id, 'Deploy']
    },
  },
  'changing the embedding model of a collection': {
    action: 'collection.model-changed',
    async act() {
      writeTinyModel(join(app.config.embedding.modelsFolder, 'tiny'))
      const { id } = await newCollection()
      await app.services.modelChanges.start(admin, { organizationId, collectionId: id }, 'tiny')
      return [id, 'Docs']
    },
  },
  'deleting a collection': {
    action: 'collection.deleted',
    async act() {
      const { id } = await newCollection()
      await app.services.collections.remove(admin, organizationId, id)
      return [id, 'Docs']
    },
  },
  'deleting a source': {
    action: 'source.deleted',
    async act() {
      const ref = { organizationId, collectionId: (await newCollection()).id }
      const input = { type: 'url', name: 'Lamps', url: 'https://lamps.example/' } as const
      const { id } = await app.services.sources.create(system, ref, input)
      await app.services.sources.remove(admin, { ...ref, sourceId: id })
      return [id, 'Lamps']
    },
  },
  'deleting a thread': {
    action: 'thread.deleted',
    async act() {
      const ref = await newThread()
      await app.services.threads.remove(admin, ref)
      return [ref.threadId, '']
    },
  },
  'sharing a thread': {
    action: 'thread.shared',
    async act() {
      const ref = await newThread()
      for (const _ of ['once', 'again']) await app.services.sharedThreads.share(admin, ref)
      return [ref.threadId, '']
    },
  },
  'ending the sharing of a thread': {
    action: 'thread.unshared',
    async act() {
      const ref = await newThread(new Date())
      for (const _ of ['once', 'again']) await app.services.sharedThreads.unshare(admin, ref)
      return [ref.threadId, '']
    },
  },
  'erasing a visitor': {
    action: 'visitor.erased',
    async act() {
      await app.services.eraseVisitor(admin, organizationId, 'thread', (await newThread()).threadId)
      return ['thread', '']
    },
    changes: [{ field: 'threads', to: '1' }],
  },
  'deleting threads': {
    action: 'threads.deleted',
    async act() {
      const { threadId } = await newThread()
      const createdBy = crypto.randomUUID()
      await app.db.write((tx) => tx.update(threads).set({ createdBy }).where(eq(threads.id, threadId)))
      for (const _ of ['once', 'again'])
        await app.services.threadSelections.remove(admin, organizationId, { createdBy })
      return [organizationId, '']
    },
    changes: [{ field: 'threads', to: '1' }],
  },
  "reading a customer's content": {
    action: 'content.read',
    async act() {
      admin = await createPerson(app, {}, { staff: true })
      const subject = { id: 'thread-id', name: '' }
      await app.services.audit.recordStaffRead(admin, { organizationId, subject })
      return [subject.id, subject.name]
    },
  },
}

/** Recorded elsewhere, see below. */
const others = [
  'organization.plan-assigned',
  'plan.edited',
  'user.invited',
  'user.reset',
  // See identity/second-factor.test.ts.
  'user.second-factor-reset',
  'user.promoted',
  'user.demoted',
  'user.deleted',
  // Nobody's action; see retention.test.ts.
  'retention.applied',
  // See organization-archive.test.ts.
  'organization.exported',
  'organization.imported',
]

describe('the audit log', () => {
  it('has a scenario for each action', () => {
    const tested = [...Object.values(scenarios).map(({ action }) => action), ...others]
    expect([...new Set(tested)].sort()).toEqual([...auditActionNames].sort())
  })

  it.each(Object.entries(scenarios))('records %s', async (_name, { action, act, changes = [] }) => {
    const [id, name] = await act()
    const [event, ...rest] = (await app.services.audit.list(system, organizationId)).filter(
      ({ actor }) => actor.kind === 'person',
    )
    expect(event).toMatchObject({
      action,
      actor: { kind: 'person', user_id: admin.userId, email: admin.email },
      subject: { id, name },
    })
    expect(event?.changes).toEqual(expect.arrayContaining(changes))
    expect(event?.changes).toHaveLength(changes.length)
    expect(rest).toEqual([])
    const stored = JSON.stringify(await app.db.read.select().from(auditEvents))
    for (const text of [secret, prompt]) expect(stored).not.toContain(text)
  })

  it('records nothing for a change that fails or changes nothing', async () => {
    const { members, organizations, agents } = app.services
    const viewer = await newMember()
    await expect(
      members.changeRole(viewer, { organizationId, userId: viewer.userId }, { role: 'admin' }),
    ).rejects.toMatchObject({ code: 'forbidden' })
    await expect(members.remove(admin, { organizationId, userId: admin.userId })).rejects.toMatchObject({
      code: 'conflict',
    })
    await members.changeRole(admin, { organizationId, userId: viewer.userId }, { role: 'viewer' })
    await organizations.update(admin, organizationId, { name: 'Fennel' })
    await agents.update(admin, await newAgent(), { name: 'Helper', description: undefined })
    expect(await app.services.audit.list(admin, organizationId)).toEqual([])
  })

  it('records the command line as such', async () => {
    const cli = await createTestCli({ DATA_DIR: dataDir })
    const io = async (args: string[]) => expect((await cli.run(args)).err).toBe('')
    await io(['plans', 'set', 'team', '--urls', '20'])
    await io(['plans', 'assign', 'team', '--organization', organizationId])
    await io(['users', 'invite', 'Ada@example.com'])
    await app.db.write((tx) => {
      const account = { id: admin.userId, email: admin.email, emailNormalized: admin.email, passwordHash: 'none' }
      return tx.insert(accounts).values(account)
    })
    await io(['users', 'reset', admin.email])
    await io(['users', 'promote', admin.email])
    await io(['users', 'demote', admin.email])
    const viewer = await newMember()
    await io(['users', 'delete', admin.email, '--administrator', viewer.email, '--yes'])
    const rows = await app.db.read.select().from(auditEvents).where(eq(auditEvents.actorKind, 'command-line'))
    const recorded = rows
      .slice(-9)
      .map(({ action, subjectId, organizationId: of, changes }) => [action, subjectId, of, changes])
    expect(recorded).toEqual([
      ['plan.edited', 'team', null, [{ field: 'urls' }]],
      [
        'organization.plan-assigned',
        organizationId,
        organizationId,
        [{ field: 'plan', from: 'unlimited', to: 'team' }],
      ],
      ['user.invited', 'ada@example.com', null, []],
      ['user.reset', admin.userId, null, []],
      ['user.promoted', admin.userId, null, []],
      ['user.demoted', admin.userId, null, []],
      ['member.role-changed', viewer.userId, organizationId, [{ field: 'role', to: 'admin' }]],
      ['member.removed', admin.userId, organizationId, []],
      ['user.deleted', admin.userId, null, []],
    ])
  })

  it('is for administrators, and lists the newest 100 events', async () => {
    for (let index = 0; index < 101; index++)
      await app.services.organizations.update(system, organizationId, { name: `No ${index}` })
    const events = await app.services.audit.list(admin, organizationId)
    expect(events).toHaveLength(100)
    expect([events.at(0)?.subject.name, events.at(-1)?.subject.name]).toEqual(['No 100', 'No 1'])
    const otherText = (await app.services.organizations.create(system, { name: 'Other', entity_name: '' })).id
    const staff = await createPerson(app, { [otherText]: 'admin' }, { staff: true })
    await expect(app.services.audit.list(await newMember(), organizationId)).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(app.services.audit.list(staff, organizationId)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('lets only platform administrators record that they read content', async () => {
    const read = { organizationId, subject: { id: 'x', name: '' } }
    for (const actor of [admin, system])
      await expect(app.services.audit.recordStaffRead(actor, read)).rejects.toMatchObject({ code: 'forbidden' })
  })
})
