import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ApiWorld, type Caller, startApiWorld } from '../support/api/api-world'

let world: ApiWorld
let threadPath: string

beforeAll(async () => {
  world = await startApiWorld()
})
beforeEach(async () => {
  const { thread } = await world.renewed(world.own, 'thread')
  threadPath = `/v1/public/${world.own.organization}/threads/${thread}`
})
afterAll(() => world.close())

/** As a page of `origin` calls in the browser of a person who is signed in. */
function callFromPage(caller: Caller, method: string, path: string, origin: string | null) {
  const cookie = world.credentials[caller].cookie ?? ''
  const headers = { cookie, ...(origin === null ? {} : { origin }) }
  return world.send('guest', method, path, { headers })
}

describe('a person with a session', () => {
  it.each(['viewer', 'member', 'admin'] as const)('shares a thread as %s, and ends that', async (role) => {
    const shared = await callFromPage(role, 'POST', `${threadPath}/share`, world.origin)
    expect([shared.status, shared.body]).toMatchObject([
      200,
      { success: true, thread: { published_at: expect.stringMatching(/^20/) } },
    ])
    const ended = await callFromPage(role, 'DELETE', `${threadPath}/share`, world.origin)
    expect([ended.status, ended.body]).toMatchObject([200, { thread: { published_at: null } }])
  })

  it('deletes a thread only as an administrator', async () => {
    expect((await callFromPage('member', 'DELETE', threadPath, world.origin)).status).toBe(403)
    expect((await callFromPage('admin', 'DELETE', threadPath, world.origin)).status).toBe(204)
  })

  it('finds no thread of another organization', async () => {
    expect((await callFromPage('stranger', 'POST', `${threadPath}/share`, world.origin)).status).toBe(404)
  })

  it.each([['https://evil.example'], ['null'], [null]])('is not known to a call from %s', async (origin) => {
    const refused = await callFromPage('admin', 'POST', `${threadPath}/share`, origin)
    expect(refused.status).toBe(401)
  })

  it('calls nothing else of /v1', async () => {
    const path = `/v1/${world.own.organization}/agents`
    expect((await callFromPage('admin', 'GET', path, world.origin)).status).toBe(401)
  })
})
