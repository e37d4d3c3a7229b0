import { afterAll, beforeAll, expect, it } from 'vitest'
import { publicAgentViewSchema } from '../../../contract/views/chat/agent'
import { addresses, fragments } from '../../../db/schema/addresses'
import { sources } from '../../../db/schema/collections'
import { type ApiWorld, startApiWorld } from '../../support/api/api-world'
import { callWithKey, saveKey } from '../../support/api/key-calls'

// The questions that an agent offers, over the API.

let world: ApiWorld
let publicKey = ''
let path = ''
let agentId = ''

const english = ['How long is the warranty?', 'Can I pay by invoice?', 'Do you ship to Norway?']
const german = ['Wie lange gilt die Garantie?', 'Was kostet der Versand?', 'Wo finde ich die Seriennummer?']

beforeAll(async () => {
  world = await startApiWorld()
  const { app, own } = world
  const ref = { organizationId: own.organization, collectionId: '' }
  const created = await world.sendJson('admin', 'POST', `/v1/${own.organization}/collections`, { name: 'Questions' })
  ref.collectionId = (created.body as { collection: { id: string } }).collection.id
  const agent = await world.sendJson('admin', 'POST', `/v1/${own.organization}/agents`, {
    name: 'Helper of questions',
    collectionId: ref.collectionId,
  })
  agentId = (agent.body as { agent: { id: string } }).agent.id
  path = `/v1/${own.organization}/agents/${agentId}`
  await app.db.write(async (tx) => {
    const sourceId = 'source-of-questions'
    await tx.insert(sources).values({ ...ref, id: sourceId, type: 'url', name: 'Help', status: 'idle' })
    for (const [language, questions] of Object.entries({ en: english, de: german })) {
      const id = `page-${language}`
      const url = `https://lamps.example/${language}`
      await tx.insert(addresses).values({ ...ref, id, sourceId, url, status: 'idle', language, fragments: 3 })
      await tx.insert(fragments).values(
        questions.map((question, ordinal) => {
          const text = { title: 'Help', headings: `Help / ${question}`, text: 'Yes.', language }
          return { ...ref, ...text, sourceId, addressId: id, ordinal, hash: question, tokens: 3 }
        }),
      )
    }
  })
  ;({ publicKey } = await saveKey({ ...world, own: { ...own, agent: agentId } }, { regenerate: false }))
})
afterAll(() => world.close())

const setSuggestions = async (suggestions: string[] | null) => {
  const saved = await world.sendJson('admin', 'PUT', path, { suggestions })
  expect(saved.status, saved.text).toBe(200)
}
const shown = async (language?: string): Promise<string[]> => {
  const headers: Record<string, string> = language ? { 'accept-language': language } : {}
  const { body } = await callWithKey(world, publicKey, 'GET', '/v1/public/agent', headers)
  return publicAgentViewSchema.parse((body as { agent: unknown }).agent).suggestions
}

it('are proposed from the headings of the collection, in the language of the reader', async () => {
  expect(await shown()).toEqual(english)
  expect(await shown('de-AT,de;q=0.9')).toEqual(german)
  expect(await shown('fr')).toEqual(english)
  const { body } = await world.send('viewer', 'GET', path)
  expect((body as { agent: { suggestions: string[] } }).agent.suggestions).toEqual(english)
})

it('begin with those of the agent, which leave places to proposals', async () => {
  await setSuggestions(['When are you open?', '  ', 'Do you ship to Norway?', 'When are you open?'])
  expect(await shown()).toEqual(['When are you open?', 'Do you ship to Norway?', ...english.slice(0, 2)])
  const { body } = await world.send('admin', 'GET', path)
  expect(body).toMatchObject({ agent: { own_suggestions: ['When are you open?', 'Do you ship to Norway?'] } })
})

it('are none where an administrator wants none, and proposals again after null', async () => {
  await setSuggestions([])
  expect(await shown()).toEqual([])
  await setSuggestions(null)
  expect(await shown()).toEqual(english)
})

it('are not in a list of agents, and not in what visitors see of another agent', async () => {
  const { body } = await world.send('admin', 'GET', `/v1/${world.own.organization}/agents`)
  const { docs } = (body as { agents: { docs: { id: string; suggestions?: unknown }[] } }).agents
  expect(docs.find(({ id }) => id === agentId)?.suggestions).toBeUndefined()
  const guest = await world.send('guest', 'GET', '/v1/public/agent')
  expect(guest.status).toBe(401)
})

it('are written by the model of the agent on request, and not stored', async () => {
  const settings = { provider: 'openai', model: 'gpt-4.1-mini', provider_key: 'key-of-the-test' }
  await world.sendJson('admin', 'PUT', path, settings)
  world.provider.next({
    kind: 'answer',
    text: '1. When is the workshop open?\n- "Who mends old lamps?"\n\nWho mends old lamps?',
  })
  const before = world.provider.requests.length
  const { status, body, text } = await world.sendJson('admin', 'POST', `${path}/suggestions`, { from: 'model' })
  expect(status, text).toBe(200)
  expect(body).toEqual({ suggestions: ['When is the workshop open?', 'Who mends old lamps?'] })
  const asked = JSON.stringify(world.provider.requests[before]?.body)
  expect(asked).toContain('How long is the warranty?')
  expect(await shown()).toEqual(english)
})

it('say what the provider says where it fails', async () => {
  world.provider.next({ kind: 'status', status: 400, error: { message: 'No.' } })
  const { status, body } = await world.sendJson('admin', 'POST', `${path}/suggestions`, { from: 'model' })
  expect(status).toBe(502)
  expect((body as { message: string }).message).not.toBe('')
})

it('are proposed by the collection without a model', async () => {
  const { body } = await world.sendJson('admin', 'POST', `${path}/suggestions`, {})
  expect(body).toEqual({ suggestions: english })
})
