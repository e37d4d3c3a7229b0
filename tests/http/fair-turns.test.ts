import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shownOrganizationField } from '../../app/components/ui/forms/organization-form'
import type { SearchView } from '../../contract/views/chat/search-results'
import { problemSchema } from '../../contract/views/problem'
import { sessions } from '../../db/schema/users'
import { system } from '../../server/actor'
import { searchLimits } from '../../server/engine/limits'
import type { Embedder } from '../../server/engine/ports/search-index'
import { hashToken, randomToken } from '../../server/tokens'
import { issueToken } from '../support/people/access-token'
import { createPerson } from '../support/people/people'
import { type Site, startSite } from '../support/sites/site'
import { apiRoutes } from '../support/web/api-routes'
import { startWebSite, type WebSite } from '../support/web/web-site'

/** Embeddings of texts that begin with this wait until a test releases them. */
const hanging = 'flood'

/** Embeds nothing; remembers what it was asked for. */
function createGate() {
  const asked: string[] = []
  const waiting: (() => void)[] = []
  let isOpen = false
  const dimensions = 384
  const vector = () => new Float32Array(dimensions).fill(dimensions ** -0.5)
  const embedder: Embedder = {
    model: 'gate',
    dimensions,
    embedPassages: async (texts) => texts.map(vector),
    async embedQuery(text) {
      asked.push(text)
      if (text.startsWith(hanging) && !isOpen) await new Promise<void>((resolve) => waiting.push(resolve))
      return vector()
    },
    close: async () => {},
  }
  return {
    embedder,
    asked,
    hanging: () => waiting.length,
    open() {
      isOpen = true
      for (const resolve of waiting.splice(0)) resolve()
    },
  }
}

const onboarding = {
  goals: ['Semantic search'],
  sector: 'Other',
  position: 'Other',
  size: 'Solo (1)' as const,
  source: 'Other',
}

interface Tenant {
  search(query: string): Promise<Response>
  /** The page of a collection, searched by a person with a session. */
  searchPage(query: string): Promise<Response>
  /** Searches as an agent does before it answers. */
  searchForAnswer(query: string): Promise<unknown>
  preview(page: string, signal?: AbortSignal): Promise<Response>
  /** As the form of a source asks for it, with a session. */
  previewFromForm(page: string): Promise<Response>
}

const gate = createGate()
let web: WebSite
let hung: Site
let lamps: Site
let flooding: Tenant
let otherTenant: Tenant

beforeAll(async () => {
  hung = await startSite({ '/robots.txt': { delayMs: 'never' } })
  lamps = await startSite({ '/': '<title>Lamps</title><main><h1>Lamps</h1><p>All of our lamps.</p></main>' })
  web = await startWebSite(
    {
      ...apiRoutes,
      'dashboard/': await import('../../app/routes/dashboard+/_layout'),
      'dashboard/collection/:collectionId/page-preview': await import(
        '../../app/routes/dashboard+/collection+/$collectionId_.page-preview'
      ),
      'dashboard/collection/:collectionId': await import('../../app/routes/dashboard+/collection+/$collectionId'),
    },
    { CRAWL_ALLOW_PRIVATE_NETWORKS: '127.0.0.1', CRAWL_DELAY_MS: '0' },
    { embedder: async () => gate.embedder },
  )
  await web.app.startEmbedding()
  flooding = await createTenant('Flooding')
  otherTenant = await createTenant('Other')
})
afterAll(async () => {
  gate.open()
  await web?.close()
  await Promise.all([hung.close(), lamps.close()])
})

async function createTenant(name: string): Promise<Tenant> {
  const { app, listening } = web
  const { id } = await app.services.organizations.create(system, { name, entity_name: '' })
  const collection = await app.services.collections.create(system, id, { name: 'Docs', description: '' })
  const { email, userId } = await createPerson(app, { [id]: 'admin' })
  await app.services.organizations.onboard(system, id, onboarding)
  const cookie = await openSession(userId)
  const authorization = `Bearer ${await issueToken(app, email)}`
  return {
    search: (query) =>
      fetch(`${listening}/v1/${id}/search?${new URLSearchParams({ collectionId: collection.id, query })}`, {
        headers: { authorization },
      }),
    searchPage: (query) =>
      fetch(`${web.origin}/dashboard/collection/${collection.id}?${new URLSearchParams({ q: query })}`, {
        headers: { cookie },
        redirect: 'manual',
      }),
    searchForAnswer: (query) => app.services.search.find(id, { collectionId: collection.id, query }),
    preview: (page, signal) =>
      fetch(`${listening}/v1/${id}/sources/${collection.id}/page-preview`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ page }),
        signal,
      }),
    previewFromForm: (page) =>
      fetch(`${web.origin}/dashboard/collection/${collection.id}/page-preview`, {
        method: 'POST',
        headers: { cookie, origin: web.origin },
        body: new URLSearchParams({ page, [shownOrganizationField]: id }),
      }),
  }
}

async function openSession(userId: string): Promise<string> {
  const token = randomToken()
  const expiresAt = new Date(Date.now() + 3_600_000)
  await web.app.db.write((tx) => tx.insert(sessions).values({ id: hashToken(token), userId, idToken: '', expiresAt }))
  return `sitelore=${token}`
}

async function expectRefused(answer: Response | undefined, what: string, seconds: number): Promise<void> {
  expect(answer?.headers.get('retry-after')).toBe(String(seconds))
  const { code, message } = problemSchema.parse(await answer?.json())
  expect([code, message]).toEqual([
    'rate_limited',
    `Your organization has too many ${what} in progress. Try again in ${seconds === 1 ? '1 second' : `${seconds} seconds`}.`,
  ])
}

describe('searches', () => {
  it('serves searches of another organization while one floods, and rejects the flood with 429', async () => {
    const { perOrganization, maxWaiting } = searchLimits.turns
    const served = perOrganization + maxWaiting
    const refused = 60 - served
    const answered: Response[] = []
    const flood = Promise.all(
      Array.from({ length: 60 }, async (_, number) => {
        const response = await flooding.search(`${hanging} ${number}`)
        answered.push(response)
        return response.status
      }),
    )
    // If an expectation fails, the server closes while these wait: report that expectation, not their errors.
    flood.catch(() => {})
    await expect.poll(() => answered.length).toBe(refused)
    expect(gate.hanging()).toBe(perOrganization)
    await expectRefused(answered[0], 'searches', 1)
    const page = await flooding.searchPage('lamp')
    expect([page.status, page.headers.get('retry-after')]).toEqual([429, '1'])
    expect((await otherTenant.searchPage('lamp')).status).toBe(200)
    for (let number = 0; number < 10; number++) {
      expect((await otherTenant.search(`lamp ${number}`)).status).toBe(200)
    }
    expect([answered.length, gate.hanging()]).toEqual([refused, perOrganization])

    const answers = Promise.all(Array.from({ length: 60 }, () => flooding.searchForAnswer('lamp')))
    gate.open()
    // Nothing that an agent asks is refused: a visitor waits for seconds anyway.
    expect(await answers).toHaveLength(60)
    const statuses = await flood
    expect(statuses.filter((status) => status === 200)).toHaveLength(served)
    expect(statuses.filter((status) => status === 429)).toHaveLength(refused)
    expect((await flooding.search('lamp')).status).toBe(200)
  })

  it('use 2,000 characters and report how many they ignore', async () => {
    const found = async (query: string) => (await (await otherTenant.search(query)).json()) as SearchView
    gate.asked.length = 0
    expect(await found('lamp '.repeat(1_600))).toMatchObject({ ignored_characters: 5_999 })
    expect(gate.asked).toEqual(['lamp '.repeat(400)])
    // No half of a character is left.
    expect(await found(`${'x'.repeat(1_999)}💡`)).toMatchObject({ ignored_characters: 2 })
    expect(gate.asked.at(-1)).toBe('x'.repeat(1_999))
    expect(await found('lamp')).toMatchObject({ ignored_characters: 0 })
  })
})

describe('previews', () => {
  it('runs previews of another organization while one waits for hanging sites', async () => {
    const leaving = new AbortController()
    const answered: Response[] = []
    const flood = Array.from({ length: 6 }, () =>
      flooding.preview(`${hung.origin}/`, leaving.signal).then(
        (response) => answered.push(response),
        () => 'left',
      ),
    )
    // Two run and two wait.
    await expect.poll(() => answered.length).toBe(2)
    await expectRefused(answered[0], 'previews', 10)
    await expectRefused(await flooding.previewFromForm(`${hung.origin}/`), 'previews', 10)
    const preview = await otherTenant.preview(`${lamps.origin}/`)
    expect([preview.status, await preview.json()]).toMatchObject([200, { preview: { title: 'Lamps' } }])
    leaving.abort()
    await Promise.all(flood)
    // Disconnected clients release their turns as soon as the server notices.
    await expect.poll(async () => (await flooding.preview(`${lamps.origin}/`)).status, { timeout: 10_000 }).toBe(200)
  })
})
