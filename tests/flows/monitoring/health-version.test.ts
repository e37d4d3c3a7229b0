import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ApiWorld, type Caller, callers, startApiWorld } from '../../support/api/api-world'

let world: ApiWorld
beforeAll(async () => {
  world = await startApiWorld()
})
afterAll(() => world.close())

it.each(callers)('/healthz names the version to platform administrators alone: %s', async (caller: Caller) => {
  const { bearer, cookie } = world.credentials[caller]
  const headers = { ...(bearer ? { authorization: `Bearer ${bearer}` } : {}), ...(cookie ? { cookie } : {}) }
  const response = await fetch(`${world.listening}/healthz`, { headers })
  expect(response.status).toBe(200)
  const expected = caller === 'platform' ? { ok: true, version: world.app.version } : { ok: true }
  expect(await response.json()).toEqual(expected)
})
