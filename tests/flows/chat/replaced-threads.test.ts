import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { agents } from '../../../db/schema/agents'
import { organizations } from '../../../db/schema/organizations'
import { messages, threads } from '../../../db/schema/threads'
import { type Actor, system } from '../../../server/actor'
import { createChatStore } from '../../../server/services/chat/chat-store'
import { createTestApp, type TestApp } from '../../support/app'

const limit = 5
const meta = { origin: null, ip: null, userAgent: null }

let test: TestApp
let organizationId: string
let agent: typeof agents.$inferSelect
beforeAll(async () => {
  test = await createTestApp()
  await test.app.services.plans.set(system, 'small', { display_name: 'Small', threads: limit })
})
afterAll(() => test.close())
beforeEach(async () => {
  const { services, db } = test.app
  organizationId = (await services.organizations.create(system, { name: 'Lamps', entity_name: '' })).id
  await db.write((tx) => tx.update(organizations).set({ plan: 'small' }).where(eq(organizations.id, organizationId)))
  const { id } = await services.agents.create(system, organizationId, { name: 'Guide', description: '' } as never)
  const [row] = await db.read.select().from(agents).where(eq(agents.id, id))
  agent = row ?? expect.fail('no agent')
})

const replace = (replaces_old_threads: boolean) =>
  test.app.services.organizations.update(system, organizationId, { replaces_old_threads })

function ask(prompt: string, caller: 'member' | 'visitor' = 'visitor') {
  const { db, services } = test.app
  const { saveQuestion } = createChatStore({ db, organizations: services.organizations, visitorIp: 'short' })
  const actor: Actor =
    caller === 'member' ? system : { kind: 'key', keyType: 'public', organizationId, agentId: agent.id }
  return saveQuestion(actor, agent, { prompt }, meta)
}

/** A thread whose question is answered, so that it may be replaced. */
async function talk(prompt: string, caller?: 'member' | 'visitor') {
  const { questionId } = await ask(prompt, caller)
  await test.app.db.write((tx) => tx.update(messages).set({ leasedUntil: null }).where(eq(messages.id, questionId)))
}

async function titles(): Promise<string[]> {
  const ofOrganization = eq(threads.organizationId, organizationId)
  const rows = await test.app.db.read
    .select()
    .from(threads)
    .where(ofOrganization)
    .orderBy(threads.createdAt, threads.id)
  return rows.map(({ title }) => title)
}

it('refuses a thread over the limit by default', async () => {
  for (let n = 1; n <= limit; n++) await talk(`${n}`)
  await expect(ask('one more')).rejects.toMatchObject({ code: 'quota_exceeded' })
  expect(await titles()).toEqual(['1', '2', '3', '4', '5'])
})

it('replaces the oldest thread of a visitor if the organization wants it, never one of a member', async () => {
  await replace(true)
  await talk('1', 'member')
  for (let n = 2; n <= limit; n++) await talk(`${n}`)
  await talk('6')
  expect(await titles()).toEqual(['1', '3', '4', '5', '6'])
  await talk('7', 'member')
  expect(await titles()).toEqual(['1', '4', '5', '6', '7'])
})

it('keeps a thread whose question is being answered', async () => {
  await replace(true)
  await ask('1')
  for (let n = 2; n <= limit; n++) await talk(`${n}`)
  await talk('6')
  expect(await titles()).toEqual(['1', '3', '4', '5', '6'])
})

it('refuses a thread where only members have some', async () => {
  await replace(true)
  for (let n = 1; n <= limit; n++) await talk(`${n}`, 'member')
  await expect(ask('one more')).rejects.toMatchObject({ code: 'quota_exceeded' })
})

it('comes back to the limit after a change to a smaller plan', async () => {
  await replace(true)
  const old = Array.from({ length: 50 }, (_, n) => ({
    organizationId,
    title: 'old',
    visitorTokenHash: `${n}`,
    createdAt: new Date(n),
  }))
  await test.app.db.write((tx) => tx.insert(threads).values(old))
  for (const n of [1, 2, 3]) await talk(`new ${n}`)
  expect(await titles()).toEqual(['old', 'old', 'new 1', 'new 2', 'new 3'])
})
