import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callers } from '../support/api/api-world'
import { nameOfCall } from '../support/mounted/mounted-call'
import { mountedCalls } from '../support/mounted/mounted-calls'
import { mountedRoutes, providerPaths } from '../support/mounted/mounted-routes'
import { type MountedWorld, startMountedWorld } from '../support/mounted/mounted-world'

// The routes that Express serves itself, for each caller. None of them knows the keys and tokens of programs, and only
// the page of an invitation asks who is signed in.

let world: MountedWorld

beforeAll(async () => {
  world = await startMountedWorld()
})
afterAll(() => world?.close())

it('has a row for each route in tests/support/mounted/mounted-calls.ts', async () => {
  const mounted = mountedRoutes(world.server)
  const rows = new Set(mountedCalls.map(({ method, route }) => `${method} ${route}`))
  expect(mounted.filter((route) => !rows.has(route))).toEqual([])
  const ofLibrary = await providerPaths(world.origin)
  const paths = new Set(mountedCalls.map(({ route }) => route))
  expect(ofLibrary.filter((path) => !paths.has(path))).toEqual([])
  expect([mounted.length, ofLibrary.length]).toEqual([19, 5])
})

describe.each(mountedCalls.map((call) => [nameOfCall(call), call] as const))('%s', (_name, call) => {
  it.each(callers)('is refused from %s', async (caller) => {
    const asked = await call.ask(world)
    const before = await world.stored()
    const { status, location, text } = await world.request(caller, call.method, asked)
    const after = await world.stored()
    const isException = call.except?.from.includes(caller)
    expect(status, text).toBe(isException ? call.except?.status : call.status)
    if (isException || !call.location) expect(location).toBeNull()
    else expect(location).toMatch(call.location)
    if (call.stores) expect(after).not.toBe(before)
    else expect(after).toBe(before)

    const { organization, person, invitation, message } = world.own
    const secrets = [organization, person, invitation, message, ...(call.namesOrganization ? [] : ['Fennel'])]
    for (const secret of secrets) expect(text).not.toContain(secret)
  })
})
