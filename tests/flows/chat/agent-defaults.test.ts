import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  agentStatuses,
  agentStatusLabels,
  type Provider as ProviderName,
  providers,
} from '../../../contract/values/enumerations'
import type { Database } from '../../../db/database'
import { agents as agentTable } from '../../../db/schema/agents'
import { collections } from '../../../db/schema/collections'
import { organizations as organizationTable } from '../../../db/schema/organizations'
import { system } from '../../../server/actor'
import { createChatModel } from '../../../server/adapters/chat-model/chat-model'
import { createSealer } from '../../../server/sealing'
import { type Agents, createAgents } from '../../../server/services/agents/agents'
import { type ConnectionTests, createConnectionTests } from '../../../server/services/keychains/test-connection'
import { agentKey, organizationKey, type ServerKeys } from '../../../server/services/keys/agent-keys'
import { createOverview } from '../../../server/services/onboarding/overview'
import { createOrganizations, type Organizations } from '../../../server/services/organizations/organizations'
import { createPlans } from '../../../server/services/organizations/plans'
import { createUseCounters } from '../../../server/services/usage/use-counters'
import { openTestDatabase } from '../../support/database/database'
import { person } from '../../support/providers/chat'
import { type Provider, startProvider } from '../../support/providers/provider'

const sealer = createSealer([randomBytes(32)])
const defaults = { name: 'Helper', description: '', useDefaults: true }
const admin = person('admin')

let db: Database
let provider: Provider
let organizations: Organizations
let agents: Agents
let tests: ConnectionTests
let serverKeys: ServerKeys

beforeEach(async () => {
  db = (await openTestDatabase()).database
  provider = await startProvider({ keys: ['good-key-1234'], models: ['gpt-4.1-mini', 'claude-sonnet-4-20250514'] })
  serverKeys = { openai: null, anthropic: null, gemini: null, deepseek: null }
  await createPlans({ db }).createInitial()
  organizations = createOrganizations({
    db,
    useCounters: createUseCounters({ db }),
    sealer,
    maxPerPerson: 5,
    defaultPlan: 'free',
  })
  const models = Object.fromEntries(
    providers.map((name) => [name, createChatModel({ provider: name, baseUrl: provider.baseUrls[name] })]),
  ) as Record<ProviderName, ReturnType<typeof createChatModel>>
  agents = createAgents({
    db,
    sealer,
    organizations,
    moderation: { assertSystemPrompt: async () => {} },
    serverKeys,
    suggestions: { ofAgent: async () => [] },
    defaultModel: (name) => `first of ${name}`,
  })
  tests = createConnectionTests({ db, sealer, models, serverKeys })
  await db.write((tx) => tx.insert(organizationTable).values({ id: 'o1', name: 'Fennel' }))
})
afterEach(async () => {
  await provider.close()
  await db.close()
})

const setDefaults = (values: object) => organizations.update(system, 'o1', values)

async function keyOf(agentId: string): Promise<string | null | undefined> {
  const [row] = await db.read.select().from(agentTable).where(eq(agentTable.id, agentId))
  if (!row) throw new Error('no agent')
  return agentKey({ sealer, serverKeys }, row, await organizationKey(db.read, 'o1'))?.apiKey
}

describe("'Use defaults'", () => {
  // contract Defaults: With 'Use defaults', provider, model and key are taken
  it("takes the organization's provider, model and key, and follows the key", async () => {
    await setDefaults({
      default_agent_provider: 'openai',
      default_agent_model: 'gpt-4.1',
      default_agent_provider_key: 'a',
    })
    const { id, provider, model, key_source } = await agents.create(system, 'o1', defaults)
    expect({ provider, model, key_source }).toEqual({
      provider: 'openai',
      model: 'gpt-4.1',
      key_source: 'organization',
    })
    expect(await keyOf(id)).toBe('a')
    await setDefaults({ default_agent_provider_key: 'b' })
    expect(await keyOf(id)).toBe('b')
    await agents.saveSettings(system, { organizationId: 'o1', agentId: id }, { provider_key: 'own' })
    expect(await keyOf(id)).toBe('own')
    await agents.saveSettings(system, { organizationId: 'o1', agentId: id }, { provider_key: null })
    expect(await keyOf(id)).toBe('b')
    await setDefaults({ default_agent_provider: 'anthropic', default_agent_provider_key: 'c' })
    expect(await keyOf(id)).toBeUndefined()
  })

  it('keeps a removed key removed while another change is stored', async () => {
    await setDefaults({ default_agent_provider: 'openai', default_agent_provider_key: 'a' })
    await Promise.all([setDefaults({ default_agent_provider_key: null }), setDefaults({ name: 'Dill' })])
    expect(await organizations.get(system, 'o1')).toMatchObject({ name: 'Dill', default_agent_provider_key: null })
  })

  it("takes the server's provider and its first model without a default of the organization", async () => {
    serverKeys.gemini = { apiKey: 'of the server' }
    const agent = await agents.create(system, 'o1', defaults)
    expect(agent).toMatchObject({ provider: 'gemini', model: 'first of gemini', key_source: 'server' })
  })

  // contract Defaults: Without 'Use defaults', no provider, model and key are taken
  it('takes nothing if it is not ticked', async () => {
    serverKeys.gemini = { apiKey: 'of the server' }
    await setDefaults({ default_agent_provider: 'openai', default_agent_provider_key: 'a' })
    const agent = await agents.create(system, 'o1', { ...defaults, useDefaults: false })
    expect(agent).toMatchObject({ provider: null, model: null, provider_key: null, key_source: null })
    await agents.saveSettings(system, { organizationId: 'o1', agentId: agent.id }, { provider: 'openai', model: 'm' })
    expect(await keyOf(agent.id)).toBeUndefined()
  })
})

describe('a change of settings', () => {
  it('keeps absent fields', async () => {
    const { id } = await agents.create(system, 'o1', defaults)
    const ref = { organizationId: 'o1', agentId: id }
    const all = { provider: 'openai', model: 'gpt-4.1', prompt: 'Be brief.', fragment_limit: 7 } as const
    await agents.saveSettings(system, ref, { ...all, provider_key: 'own-key-1234' })
    expect(await agents.saveSettings(system, ref, { history_limit: 5 })).toMatchObject({ ...all, history_limit: 5 })
    expect(await agents.saveSettings(system, ref, {})).toMatchObject({ ...all, provider_key: '••••1234' })
    expect(await agents.update(system, ref, { description: 'New' })).toMatchObject({
      name: 'Helper',
      description: 'New',
    })
    await expect(agents.saveSettings(system, ref, { provider: 'gemini' })).rejects.toMatchObject({
      code: 'invalid_input',
    })
    await setDefaults({ entity_name: 'Fennel Ltd' })
    expect(await organizations.update(system, 'o1', {})).toMatchObject({ name: 'Fennel', entity_name: 'Fennel Ltd' })
  })
})

describe('a test of the connection', () => {
  const openai = { provider: 'openai', model: 'gpt-4.1-mini' } as const

  it('asks for one token and says what the provider says', async () => {
    const test = (input: object) => tests.testOrganization(admin, 'o1', { ...openai, ...input })
    expect(await test({})).toEqual({ ok: false, message: 'There is no API key for OpenAI yet. Enter one.' })
    expect(await test({ provider_key: 'good-key-1234' })).toEqual({
      ok: true,
      message: 'Connected. gpt-4.1-mini replied.',
    })
    expect(provider.requests[0]?.body.max_tokens).toBe(1)
    expect(await test({ provider_key: 'wrong' })).toMatchObject({
      ok: false,
      message: 'OpenAI rejected the API key. Enter a valid one under Edit organization.',
    })
    expect(await test({ provider_key: 'good-key-1234', model: 'gone' })).toMatchObject({
      ok: false,
      message: 'This model is no longer offered. Choose another under Edit organization.',
    })
    provider.next({ kind: 'answer', text: '', finish: 'length' })
    expect(await test({ provider_key: 'good-key-1234' })).toMatchObject({ ok: true })
    expect(
      await test({ provider: 'anthropic', model: 'claude-sonnet-4', provider_key: 'good-key-1234' }),
    ).toMatchObject({
      ok: true,
    })
  })

  it('is for administrators', async () => {
    const { id } = await agents.create(system, 'o1', defaults)
    const ref = { organizationId: 'o1', agentId: id }
    await expect(tests.testOrganization(person('member'), 'o1', openai)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(tests.testAgent(person('viewer'), ref, openai)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(tests.testAgent(person('admin', 'o2'), ref, openai)).rejects.toMatchObject({ code: 'not_found' })
    expect(provider.requests).toHaveLength(0)
  })

  it('marks a stored key as refused, and clears the mark when it works or is saved', async () => {
    await setDefaults({ ...byColumn(openai), default_agent_provider_key: 'wrong' })
    const { id } = await agents.create(system, 'o1', defaults)
    const ref = { organizationId: 'o1', agentId: id }
    const isMarked = async () => {
      const [row] = await db.read.select().from(agentTable).where(eq(agentTable.id, id))
      return row?.refusedKeyHash !== null
    }
    expect((await tests.testAgent(admin, ref, openai)).ok).toBe(false)
    expect(await isMarked()).toBe(true)
    await setDefaults({ default_agent_provider_key: 'wrong' })
    expect(await isMarked()).toBe(false)
    await tests.testAgent(admin, ref, openai)
    await agents.saveSettings(system, ref, { provider_key: 'good-key-1234' })
    expect(await isMarked()).toBe(false)
    expect((await agents.get(system, ref)).status).not.toBe(agentStatuses.invalidProviderKey)
    expect((await tests.testAgent(admin, ref, openai)).ok).toBe(true)
  })

  it('completes the first step, where a key alone does not', async () => {
    const overview = createOverview({
      db,
      agents,
      sources: { inProgress: async () => [] },
      embedding: { state: () => ({ kind: 'starting' }) },
      notices: { list: async () => [] },
      sealer,
      serverKeys,
    })
    const step = async () => {
      const { has_key, has_tested_key } = await overview.get(admin, 'o1')
      return [has_key, has_tested_key]
    }
    expect(await step()).toEqual([false, false])
    await setDefaults({ ...byColumn(openai), default_agent_provider_key: 'wrong' })
    await tests.testOrganization(admin, 'o1', openai)
    expect(await step()).toEqual([true, false])
    // A key that was tested before it was saved.
    await tests.testOrganization(admin, 'o1', { ...openai, provider_key: 'good-key-1234' })
    expect(await step()).toEqual([true, false])
    await setDefaults({ default_agent_provider_key: 'good-key-1234' })
    expect(await step()).toEqual([true, true])
    await setDefaults({ default_agent_provider_key: 'another' })
    expect(await step()).toEqual([true, false])
    const { id } = await agents.create(system, 'o1', defaults)
    await agents.saveSettings(system, { organizationId: 'o1', agentId: id }, { provider_key: 'good-key-1234' })
    expect(await step()).toEqual([true, true])
    serverKeys.gemini = { apiKey: null }
    await agents.remove(system, { organizationId: 'o1', agentId: id })
    expect(await step()).toEqual([true, true])
  })

  it('shows the result for what is saved on the agent, until a test succeeds or the settings change', async () => {
    await setDefaults({ ...byColumn(openai), default_agent_provider_key: 'good-key-1234' })
    const { id } = await agents.create(system, 'o1', defaults)
    const ref = { organizationId: 'o1', agentId: id }
    const failure = async () => (await agents.get(admin, ref)).test_failure
    const fail = async (input = openai) => {
      provider.next({ kind: 'status', status: 400, error: { message: 'No.' } })
      return tests.testAgent(admin, ref, input)
    }
    const { message } = await fail()
    expect(await failure()).toBe(message)
    expect((await agents.get(person('viewer'), ref)).test_failure).toBeUndefined()
    await tests.testAgent(admin, ref, openai)
    expect(await failure()).toBeNull()
    await fail()
    await agents.saveSettings(system, ref, { model: 'gpt-4.1-nano' })
    expect(await failure()).toBeNull()
    // Another model than the saved one says nothing about the agent.
    await fail()
    expect(await failure()).toBeNull()
    await fail({ ...openai, model: 'gpt-4.1-nano' } as never)
    expect(await failure()).not.toBeNull()
    await setDefaults({ default_agent_provider_key: 'other-key' })
    expect(await failure()).toBeNull()
  })
})

function byColumn({ provider, model }: { provider: ProviderName; model: string }) {
  return { default_agent_provider: provider, default_agent_model: model }
}

describe('a new agent', () => {
  it('is linked to the collection that it is created with, also by a member', async () => {
    await db.write(async (tx) => {
      await tx.insert(organizationTable).values({ id: 'o2', name: 'Other' })
      await tx.insert(collections).values([
        { id: 'c1', organizationId: 'o1', name: 'Manuals' },
        { id: 'c2', organizationId: 'o2', name: 'Secrets' },
      ])
    })
    const member = person('member')
    const linked = await agents.create(member, 'o1', { ...defaults, collectionId: 'c1' })
    expect(linked).toMatchObject({ collection_id: 'c1', status: agentStatuses.noSources })
    expect((await agents.create(member, 'o1', defaults)).collection_id).toBeNull()
    for (const collectionId of ['c2', 'nowhere']) {
      const refused = agents.create(member, 'o1', { ...defaults, collectionId })
      await expect(refused).rejects.toMatchObject({ code: 'not_found' })
    }
    expect((await agents.list(member, 'o1', { page: 1, limit: 10 })).total).toBe(2)
  })
})

describe('the list of agents', () => {
  it('is sorted by the word of the status, in pages', async () => {
    await db.write((tx) => tx.insert(collections).values({ id: 'c1', organizationId: 'o1', name: 'Manuals' }))
    const added = [{ disabled: true }, { collectionId: 'c1' }, {}]
    for (const [index, { disabled, collectionId }] of added.entries()) {
      const { id } = await agents.create(admin, 'o1', { ...defaults, name: `Helper ${index}`, collectionId })
      if (disabled)
        await agents.update(admin, { organizationId: 'o1', agentId: id }, { description: undefined, disabled })
    }
    const names = async (descending: boolean, page = 1) => {
      const { docs, total } = await agents.list(admin, 'o1', { page, limit: 2, sort: { field: 'status', descending } })
      expect(total).toBe(3)
      return docs.map(({ status }) => agentStatusLabels[status])
    }
    expect(await names(false)).toEqual(['Disabled', 'Needs Collection'])
    expect(await names(false, 2)).toEqual(['No Sources'])
    expect(await names(true)).toEqual(['No Sources', 'Needs Collection'])
  })
})
