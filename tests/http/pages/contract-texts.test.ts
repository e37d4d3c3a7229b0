import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Services } from '../../../server/app'
import type { PageCall } from '../../support/pages/page-call'
import { pageCalls } from '../../support/pages/page-calls'
import { type PageWorld, startPageWorld } from '../../support/pages/page-world'

// The contract's texts that pages show after a form, or in place of what could not be loaded; docs/texts.md lists them.

const laterNoStop = 'Please try again later. Contact support if issue persists'
const later = `${laterNoStop}.`

let world: PageWorld
beforeAll(async () => {
  world = await startPageWorld()
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => world?.close())

/** Makes a service fail unexpectedly. */
type Break = (services: Services) => { mockRejectedValue(error: Error): unknown }

function rowOf(name: string): PageCall {
  const row = pageCalls.find(({ method, file, intent }) => `${method} ${file}${intent ? ` ${intent}` : ''}` === name)
  if (!row) throw new Error(`There is no row ${name}.`)
  return row
}

async function answerTo(row: PageCall, breakService?: Break): Promise<string> {
  const ids = row.spends ? await world.renewed(world.own, row.spends) : world.own
  await row.prepare?.(world, ids)
  const entered = await world.enter('admin', row)
  breakService?.(world.app.services).mockRejectedValue(new Error('Broken by the test.'))
  const { text, notifications } = await world.ask(entered, row, ids, 'data')
  return text + JSON.stringify(notifications)
}

const collections = 'POST dashboard+/collections'
const collection = 'POST dashboard+/collection+/$collectionId'
const agent = 'POST dashboard+/agent+/$agentId'
const thread = 'POST dashboard+/threads.$threadId'

// contract 8d.11: 'Failed to regenerate API keys.'
// contract 8d.15: 'Failed to delete thread', also of a sharing failure
describe('a form that fails', () => {
  // texts Mutations: `Something went wrong`, `Please try again later. Contact support if issue persists`
  // texts Collections and sources: `Failed to create collection`, `Failed to delete collection`
  // texts Collections and sources: `Failed to edit collection`, `Failed to process source`, `Failed to delete source`
  // texts Collections and sources: `Failed to edit source`
  // texts Agents, organization, threads: `Failed to save agent settings`, `Failed to regenerate API keys.`
  // texts Agents, organization, threads: `Failed to update agent.`, `Failed to delete agent`
  // texts Agents, organization, threads: `Failed to link collection to agent.`, `Failed to update organization`
  // texts Agents, organization, threads: `Failed to delete thread`
  it.each<[string, Break, string, string]>([
    [
      `${collections} create-collection`,
      (all) => vi.spyOn(all.collections, 'create'),
      'Failed to create collection',
      later,
    ],
    [
      `${collections} delete-collection`,
      (all) => vi.spyOn(all.collections, 'remove'),
      'Failed to delete collection',
      later,
    ],
    [
      `${collections} edit-collection`,
      (all) => vi.spyOn(all.collections, 'update'),
      'Failed to edit collection',
      laterNoStop,
    ],
    [
      `${collection} refresh-source`,
      (all) => vi.spyOn(all.runControl, 'refresh'),
      'Failed to process source',
      laterNoStop,
    ],
    [`${collection} delete-source`, (all) => vi.spyOn(all.sources, 'remove'), 'Failed to delete source', laterNoStop],
    [`${collection} edit-source`, (all) => vi.spyOn(all.sources, 'edit'), 'Failed to edit source', laterNoStop],
    [`${agent}.ai`, (all) => vi.spyOn(all.agents, 'saveSettings'), 'Failed to save agent settings', laterNoStop],
    [
      `${agent}.api regenerate-keys`,
      (all) => vi.spyOn(all.keychains, 'save'),
      'Failed to regenerate API keys.',
      laterNoStop,
    ],
    [`${agent} edit-agent`, (all) => vi.spyOn(all.agents, 'update'), 'Failed to update agent.', laterNoStop],
    [`${agent} delete-agent`, (all) => vi.spyOn(all.agents, 'remove'), 'Failed to delete agent', laterNoStop],
    [
      `${agent} link-collection`,
      (all) => vi.spyOn(all.agents, 'link'),
      'Failed to link collection to agent.',
      laterNoStop,
    ],
    [
      'POST dashboard+/_layout',
      (all) => vi.spyOn(all.organizations, 'update'),
      'Failed to update organization',
      laterNoStop,
    ],
    [`${thread} delete-thread`, (all) => vi.spyOn(all.threads, 'remove'), 'Failed to delete thread', laterNoStop],
    [`${thread} share-thread`, (all) => vi.spyOn(all.sharedThreads, 'share'), 'Failed to delete thread', laterNoStop],
    [
      'POST onboarding+/organization',
      (all) => vi.spyOn(all.organizations, 'create'),
      'Oops, something went wrong!',
      laterNoStop,
    ],
    ['POST dashboard+/try-manual', (all) => vi.spyOn(all.manual, 'ensureDemo'), 'Something went wrong', laterNoStop],
  ])('%s', async (name, breakService, title, message) => {
    const answer = await answerTo(rowOf(name), breakService)
    expect(answer).toContain(`"${title}"`)
    expect(answer).toContain(`"${message}"`)
  })
})

describe('a form that succeeds', () => {
  // texts Success: `Agent created successfully`, `Agent deleted successfully`, `Agent edited successfully`
  // texts Success: `Collection linked successfully`, `Organization edited successfully`, `Thread deleted successfully`
  // texts Success: `Thread shared successfully`
  it.each([
    ['POST dashboard+/agents create-agent', 'Agent created successfully'],
    [`${agent} delete-agent`, 'Agent deleted successfully'],
    [`${agent} edit-agent`, 'Agent edited successfully'],
    [`${agent} link-collection`, 'Collection linked successfully'],
    ['POST dashboard+/_layout', 'Organization edited successfully'],
    [`${thread} delete-thread`, 'Thread deleted successfully'],
    [`${thread} share-thread`, 'Thread shared successfully'],
  ])('%s', async (name, title) => {
    expect(await answerTo(rowOf(name))).toContain(`"${title}"`)
  })
})

describe('a page whose data cannot be loaded', () => {
  const searched = {
    ...rowOf('GET dashboard+/collection+/$collectionId'),
    path: '/dashboard/collection/{collection}?q=lamp',
  }

  // texts Identity and session: `Failed to fetch current user. Looks like we're having some issues, try again later.`
  // texts Identity and session: `Failed to fetch organization. Looks like we're having some issues, try again later.`
  // texts Identity and session: `Failed to fetch organization usage. Looks like we're having some issues, try again later.`
  // texts Collections and sources: `Failed to fetch collections.`, `Failed to fetch sources.`, `Failed to fetch urls.`
  // texts Agents, organization, threads: `Failed to fetch agents.`, `Failed to process search request.`
  it.each<[PageCall, Break, string]>([
    [rowOf('GET dashboard+/collections'), (all) => vi.spyOn(all.collections, 'list'), 'Failed to fetch collections.'],
    [rowOf('GET dashboard+/agents'), (all) => vi.spyOn(all.agents, 'list'), 'Failed to fetch agents.'],
    [searched, (all) => vi.spyOn(all.sources, 'list'), 'Failed to fetch sources.'],
    [searched, (all) => vi.spyOn(all.addresses, 'list'), 'Failed to fetch urls.'],
    [searched, (all) => vi.spyOn(all.search, 'collection'), 'Failed to process search request.'],
    [
      rowOf('GET dashboard+/index'),
      (all) => vi.spyOn(all.accounts, 'currentUser'),
      "Failed to fetch current user. Looks like we're having some issues, try again later.",
    ],
    [
      rowOf('GET dashboard+/index'),
      (all) => vi.spyOn(all.organizations, 'get'),
      "Failed to fetch organization. Looks like we're having some issues, try again later.",
    ],
    [
      rowOf('GET dashboard+/index'),
      (all) => vi.spyOn(all.organizations, 'usage'),
      "Failed to fetch organization usage. Looks like we're having some issues, try again later.",
    ],
  ])('$path', async (row, breakService, title) => {
    expect(await answerTo(row, breakService)).toContain(`"${title}"`)
  })

  // texts Collections and sources: `Couldn't find collection`
  // texts Collections and sources: `This collection does not exist or you do not have access to it.`
  it('leads back to the list from a collection that does not exist', async () => {
    const row = rowOf('GET dashboard+/collection+/$collectionId')
    const entered = await world.enter('admin', row)
    const missing = { ...world.own, collection: '00000000-0000-4000-8000-000000000002' }
    const { location, notifications } = await world.ask(entered, row, missing)
    expect(location).toBe('/dashboard/collections')
    expect(notifications).toEqual([
      {
        type: 'warning',
        title: "Couldn't find collection",
        message: 'This collection does not exist or you do not have access to it.',
      },
    ])
  })
})
