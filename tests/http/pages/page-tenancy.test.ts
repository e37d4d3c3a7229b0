import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiIds, idsIn, nameOf, pathOf } from '../../support/api/api-endpoint'
import { apiEndpoints } from '../../support/api/api-endpoints'
import { type Caller, callers, jsonInit } from '../../support/api/api-world'
import { intentsOf } from '../../support/pages/intents'
import { nameOfCall, namesThings, nothingOwn, type PageCall } from '../../support/pages/page-call'
import { pageCalls } from '../../support/pages/page-calls'
import { type PageResponse, type PageWorld, startPageWorld } from '../../support/pages/page-world'
import { credentialOf } from '../../support/people/credentials'
import { createPerson } from '../../support/people/people'
import { isForPrograms } from '../../support/web/page-routes'
import { type RouteNode, routeTree } from '../../support/web/route-tree'

// Every page and every form, with each of its intents, for each caller. Who may do it changes what is stored, or gets the
// page; everybody else gets nothing, changes nothing, and learns nothing about what exists.

const missing: ApiIds = {
  organization: '00000000-0000-4000-8000-000000000001',
  collection: '00000000-0000-4000-8000-000000000002',
  source: '00000000-0000-4000-8000-000000000003',
  address: '00000000-0000-4000-8000-000000000004',
  agent: '00000000-0000-4000-8000-000000000005',
  thread: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA',
  message: '00000000-0000-4000-8000-000000000007',
  upload: '00000000-0000-4000-8000-000000000008',
  person: '00000000-0000-4000-8000-000000000009',
  invitation: '00000000-0000-4000-8000-00000000000a',
}
const ranks = ['viewer', 'member', 'admin'] as const
const roles: readonly Caller[] = ranks
const outsiders: readonly Caller[] = ['stranger', 'platform']

let world: PageWorld
let routes: RouteNode[]

beforeAll(async () => {
  world = await startPageWorld()
  routes = (await routeTree()).filter(({ file }) => !isForPrograms(file))
})
afterAll(() => world?.close())

describe('the tables in tests/support/pages', () => {
  it('have a row for each page, and for each intent of each form', () => {
    const inTable = new Set(pageCalls.map(rowOf))
    const needed = routes.flatMap(({ file, module }) => [
      ...(module.loader || module.default ? [`GET ${file}`] : []),
      ...(module.action ? [`POST ${file}`, ...intentsOf(file).map((intent) => `POST ${file} ${intent}`)] : []),
    ])
    const known = new Set([...inTable, ...pageCalls.map(({ method, file }) => `${method} ${file}`)])
    const hint = 'Add a row to the table of its area: tests/support/pages/*-calls.ts'
    expect(
      needed.filter((row) => !known.has(row)),
      hint,
    ).toEqual([])
    expect(
      [...inTable].filter((row) => !needed.includes(row)),
      'These rows have no route or intent',
    ).toEqual([])
    expect(needed.length).toBeGreaterThan(60)
  })
})

/** Who may: outsiders act in their own organization where the call names nothing of another one. */
function isAllowed(call: PageCall, caller: Caller): boolean {
  if (call.may === 'everybody') return true
  const isRole = roles.includes(caller)
  if (!isRole && !outsiders.includes(caller)) return false
  if (call.may === 'anyone') return true
  if (call.may === 'staff') return caller === 'platform'
  if (!isRole) return !namesThings(call)
  return roles.indexOf(caller) >= roles.indexOf(call.may)
}

describe.each(pageCalls.map((call) => [nameOfCall(call), call] as const))('%s', (_name, call) => {
  const allowed = callers.filter((caller) => isAllowed(call, caller))
  const refused = callers.filter((caller) => !isAllowed(call, caller))

  it(`is for ${allowed.length === callers.length ? 'everybody' : allowed.join(', ')}`, async () => {
    for (const caller of allowed) {
      const { entered, ids } = await begin(caller)
      const before = await world.stored()
      const response = await world.ask(entered, call, ids)
      const after = await world.stored()
      expect([caller, response.status, refusalsOf(response)]).toEqual([caller, statusOf(call), []])
      const isChange = call.recordsRead ?? (call.method === 'POST' && !call.storesNothing)
      if (isChange) expect(after, `${caller} changes nothing`).not.toBe(before)
      else expect(after, `${caller} changes something`).toBe(before)
    }
  })

  if (refused.length > 0)
    it(`refuses ${refused.join(', ')}`, async () => {
      const asking = []
      for (const caller of refused) asking.push(await begin(caller))
      const before = await world.stored()
      const answers = await Promise.all(
        asking.map(async ({ entered, ids }) => ({
          caller: entered.caller,
          answer: await world.ask(entered, call, ids),
          text: (await world.ask(entered, call, ids, 'data')).text,
        })),
      )
      expect(await world.stored()).toBe(before)
      for (const answer of answers) expectRefusal(answer)
    })

  if (namesThings(call) && call.may !== 'everybody' && call.may !== 'staff')
    it('answers outsiders as if nothing existed', async () => {
      for (const caller of outsiders) {
        const { entered } = await begin(caller)
        const there = await world.ask(entered, call, world.own)
        const absent = await world.ask(entered, call, missing)
        expect(withoutIds(there, world.own), caller).toEqual(withoutIds(absent, missing))
      }
    })

  async function begin(caller: Caller) {
    const ids = call.spends ? await world.renewed(world.own, call.spends) : world.own
    await call.prepare?.(world, ids)
    return { ids, entered: await world.enter(caller, call) }
  }

  function expectRefusal({ caller, answer, text }: { caller: Caller; answer: PageResponse; text: string }): void {
    expect(answer.status, answer.text).toBeLessThan(500)
    if (typeof call.storesNothing === 'object' && roles.includes(caller)) {
      expect(text, caller).toContain(call.storesNothing.refusal)
      return
    }
    const isRefused = answer.status >= 400 || refusalsOf(answer).length > 0 || leadsAway(answer)
    expect([caller, isRefused], JSON.stringify(answer)).toEqual([caller, true])
    if (roles.includes(caller)) return
    const isGuest = !outsiders.includes(caller)
    if (isGuest && answer.status !== 404) expect([caller, answer.location]).toEqual([caller, '/'])
    // Names and ids of the organization are for its people.
    for (const secret of secrets()) expect(text, caller).not.toContain(secret)
  }
})

it('shows platform administrators without an organization nothing of others', async () => {
  const person = await createPerson(world.app, {}, { staff: true })
  const credential = await credentialOf(world.app, person, world.own.organization)
  const entered = { caller: 'guest', cookie: credential.cookie, own: nothingOwn, organization: null } as const
  const before = await world.stored()
  for (const call of pageCalls.filter(
    (call) => namesThings(call) && call.may !== 'everybody' && call.may !== 'staff',
  )) {
    const { status, location } = await world.ask(entered, call, world.own)
    const isSelection = call.path === '/dashboard/organization'
    const expected = isSelection ? '/dashboard' : '/onboarding/organization'
    expect([nameOfCall(call), status, location]).toEqual([nameOfCall(call), 303, expected])
  }
  const headers = { authorization: `Bearer ${credential.bearer}` }
  for (const endpoint of apiEndpoints.filter(
    (apiEndpoint) => apiEndpoint.may !== 'staff' && idsIn(apiEndpoint).includes('organization'),
  )) {
    const init = endpoint.body ? jsonInit(JSON.stringify(endpoint.body(world.own))) : { headers: {} }
    const { status } = await world.send('guest', endpoint.method, pathOf(endpoint, world.own), {
      ...init,
      headers: { ...(init.headers as Record<string, string>), ...headers },
    })
    expect([nameOf(endpoint), status]).toEqual([nameOf(endpoint), 404])
  }
  expect(await world.stored()).toBe(before)
})

function rowOf({ method, file, intent }: PageCall): string {
  return [method, file, intent].filter(Boolean).join(' ')
}

function statusOf({ method, status }: PageCall): number {
  return status ?? (method === 'GET' ? 200 : 303)
}

function refusalsOf({ notifications }: PageResponse): string[] {
  return notifications.filter(({ type }) => type === 'warning' || type === 'danger').map(({ title }) => title)
}

function leadsAway({ status, location }: PageResponse): boolean {
  return status >= 300 && status < 400 && location !== null
}

function secrets(): string[] {
  const { organization, person, invitation, message } = world.own
  return ['Fennel', organization, person, invitation, message]
}

function withoutIds(response: PageResponse, ids: ApiIds): object {
  const { status, location, notifications } = response
  const text = Object.entries(ids).reduce((left, [name, id]) => left.replaceAll(id, `{${name}}`), location ?? '')
  return { status, location: text, notifications }
}
