import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { problemSchema } from '../../../contract/views/problem'
import { type ApiWorld, startApiWorld } from '../../support/api/api-world'

let world: ApiWorld
beforeAll(async () => {
  world = await startApiWorld()
})
afterAll(() => world.close())

const path = (rest = '') => `/v1/${world.own.organization}/threads${rest}`

describe('a call about all threads that match', () => {
  it.each([
    ['?', 'all'],
    ['?all=false', 'all'],
    ['?agent=x', 'body'],
    ['?agentId=', 'agentId'],
    ['?verdict=maybe', 'verdict'],
    ['?feedback=good', 'feedback'],
    ['?createdUntil=yesterday', 'createdUntil'],
    ['?createdSince=2026-02-30', 'createdSince'],
    ['?question=', 'question'],
  ])('deletes nothing with %s', async (query, field) => {
    const before = await world.stored()
    const response = await world.send('admin', 'DELETE', path(query))
    expect(response.status, response.text).toBe(400)
    expect(Object.keys(problemSchema.parse(response.body).errors ?? {})).toEqual([field])
    expect(await world.stored()).toBe(before)
    if (field !== 'all') expect((await world.send('viewer', 'GET', path(`/export${query}`))).status).toBe(400)
  })

  it('deletes all threads only if it says so', async () => {
    const newer = await world.renewed(world.own, 'thread')
    const all = await world.send('admin', 'DELETE', path('?all=true'))
    expect(all.body).toMatchObject({ success: true, remaining: 0 })
    expect((all.body as { deleted: number }).deleted).toBeGreaterThanOrEqual(2)
    expect((await world.send('admin', 'GET', path(`/${newer.thread}`))).status).toBe(404)
    expect((await world.send('admin', 'GET', path())).body).toMatchObject({ threads: { total: 0 } })
  })

  it('ignores invalid filters in the list, as before', async () => {
    expect((await world.send('viewer', 'GET', path('?feedback=good&createdSince=x'))).status).toBe(200)
  })
})
