import { eq } from 'drizzle-orm'
import type { ConnectionTest } from '../../../contract/chat/agent'
import { type Provider, providerLabels } from '../../../contract/values/enumerations'
import type { ConnectionView } from '../../../contract/views/chat/agent'
import type { Database } from '../../../db/database'
import { agents } from '../../../db/schema/agents'
import type { Actor } from '../../actor'
import type { ChatModel, ProviderFailure } from '../../engine/ports/chat-model'
import { isProviderError } from '../../errors'
import { authorize } from '../../policy'
import type { Sealer } from '../../sealing'
import { type AgentRef, findAgent } from '../agents/agents'
import {
  type AgentKey,
  agentKey,
  markKeyAccepted,
  markKeyRefused,
  organizationKey,
  type ServerKeys,
} from '../keys/agent-keys'

interface Deps {
  db: Database
  sealer: Pick<Sealer, 'open'>
  models: Record<Provider, ChatModel>
  serverKeys: ServerKeys
}

const maxTestMs = 20_000
const unknownModel = 'This model is no longer offered. Choose another under Edit organization.'

export type ConnectionTests = ReturnType<typeof createConnectionTests>

/** Tests of a provider, a model and a key, before or after they are saved. Each asks for one token. */
export function createConnectionTests({ db, sealer, models, serverKeys }: Deps) {
  /** Without a key in the input, tests the one that the agent would use, and records how that ended. */
  async function testAgent(actor: Actor, ref: AgentRef, input: ConnectionTest): Promise<ConnectionView> {
    const { organizationId, agentId } = ref
    authorize(actor, 'agent:edit', organizationId)
    const agent = await findAgent(db.read, ref)
    if (input.provider_key) return testEntered(organizationId, input, input.provider_key)
    // A key belongs to its provider.
    const providerKey = agent.provider === input.provider ? agent.providerKey : null
    const owner = { ...agent, provider: input.provider, providerKey }
    const key = agentKey({ sealer, serverKeys }, owner, await organizationKey(db.read, organizationId))
    const result = await test(input, key)
    if (key && agent.provider === input.provider) await record(organizationId, agentId, key, result)
    if (agent.provider === input.provider && agent.model === input.model) await noteOnAgent(agentId, result)
    return result
  }

  /** Without a key in the input, tests the organization's default key, else the server's. */
  async function testOrganization(
    actor: Actor,
    organizationId: string,
    input: ConnectionTest,
  ): Promise<ConnectionView> {
    authorize(actor, 'organization:edit', organizationId)
    const refused = `${providerLabels[input.provider]} rejected the API key. Enter a valid one under Edit organization.`
    if (input.provider_key) return ofOrganization(await testEntered(organizationId, input, input.provider_key), refused)
    const owner = { organizationId, provider: input.provider, providerKey: null, usesOrganizationKey: true }
    const key = agentKey({ sealer, serverKeys }, owner, await organizationKey(db.read, organizationId))
    const result = await test(input, key)
    if (key) await record(organizationId, null, key, result)
    return ofOrganization(result, refused)
  }

  /** Of a key that is not saved yet. */
  async function testEntered(organizationId: string, input: ConnectionTest, apiKey: string): Promise<Result> {
    const result = await test(input, { apiKey })
    if (result.ok) await db.write((tx) => markKeyAccepted(tx, organizationId, apiKey))
    return result
  }

  /** A failed test of what is saved shows on the agent, until a test or an answer succeeds. */
  async function noteOnAgent(agentId: string, { ok, message, failure }: Result): Promise<void> {
    // A key that was refused has a mark of its own.
    const testFailure = ok || failure === 'refused-key' ? null : message
    await db.writeOne((tx) => tx.update(agents).set({ testFailure }).where(eq(agents.id, agentId)))
  }

  async function test({ provider, model }: ConnectionTest, key: Pick<AgentKey, 'apiKey'> | null): Promise<Result> {
    const label = providerLabels[provider]
    if (!key) return { ok: false, message: `There is no API key for ${label} yet. Enter one.` }
    const answers = { ok: true, message: `Connected. ${model} replied.` }
    const messages = [{ role: 'user' as const, content: 'Hello' }]
    const request = { model, messages, maxOutputTokens: 1, apiKey: key.apiKey }
    try {
      for await (const _ of models[provider].stream(request, AbortSignal.timeout(maxTestMs))) return answers
    } catch (error) {
      if (!isProviderError(error)) throw error
      // One token may hold no text: the provider answered.
      if (error.providerFailure === 'output-limit' || error.providerFailure === 'declined') return answers
      return { ok: false, message: error.message, failure: error.providerFailure }
    }
    return { ok: false, message: `${label} took too long to answer. Try again later.` }
  }

  async function record(
    organizationId: string,
    agentId: string | null,
    { apiKey }: AgentKey,
    { ok, failure }: Result,
  ): Promise<void> {
    if (ok) await db.write((tx) => markKeyAccepted(tx, organizationId, apiKey))
    else if (failure === 'refused-key' && agentId !== null)
      await db.writeOne((tx) => markKeyRefused(tx, agentId, apiKey))
  }

  return { testAgent, testOrganization }
}

interface Result extends ConnectionView {
  failure?: ProviderFailure
}

/** The sentences of the failures name the settings of an agent, where the organization's are not. */
function ofOrganization(result: Result, refused: string): Result {
  if (result.failure === 'refused-key') return { ...result, message: refused }
  if (result.failure === 'unknown-model') return { ...result, message: unknownModel }
  return result
}
