import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ThreadFilter } from '../../../contract/chat/thread-filter'
import { messages, threads } from '../../../db/schema/threads'
import { system } from '../../../server/actor'
import { createTestApp, type TestApp } from '../../support/app'
import { createPerson } from '../../support/people/people'

let test: TestApp
let home: string
let elsewhere: string
beforeAll(async () => {
  test = await createTestApp()
  const create = async (name: string) =>
    (await test.app.services.organizations.create(system, { name, entity_name: '' })).id
  home = await create('Lamps')
  elsewhere = await create('Other')
})
afterAll(() => test.close())

type Answer = Partial<Pick<typeof messages.$inferInsert, 'verdict' | 'feedback'>>

/** A thread with a question and an answer, which began on a day of 2026 (UTC). */
async function talk(organizationId: string, day: string, answer: Answer = {}, externalUserId = 'ada'): Promise<string> {
  const id = crypto.randomUUID()
  const createdAt = new Date(`2026-${day}T12:00:00Z`)
  await test.app.db.write(async (tx) => {
    await tx.insert(threads).values({ id, organizationId, title: 'Which lamp?', externalUserId, createdAt })
    await tx.insert(messages).values([
      { threadId: id, role: 'user', content: 'Which lamp?', status: 1, createdAt },
      {
        threadId: id,
        role: 'agent',
        content: 'The Storm 40.',
        status: 2,
        createdAt: new Date(createdAt.getTime() + 1),
        ...answer,
      },
    ])
  })
  return id
}

async function exported(organizationId: string, filter: ThreadFilter) {
  const lines: { threadId: string; messages: { content: string }[] }[] = []
  for await (const line of test.app.services.threadSelections.exportLines(system, organizationId, filter))
    lines.push(JSON.parse(line))
  return lines
}

it('selects threads by date, feedback, verdict and visitor, like the list', async () => {
  const january = await talk(home, '01-31')
  const disliked = await talk(home, '02-01', { verdict: 'not-found', feedback: 'down' })
  const grace = await talk(home, '03-01', { verdict: 'answered', feedback: 'up' }, 'grace')
  const foreign = await talk(elsewhere, '01-31', { feedback: 'down' })
  const cases: [ThreadFilter, string[]][] = [
    [{}, [january, disliked, grace]],
    [{ createdUntil: new Date('2026-01-31T23:59:59.999Z') }, [january]],
    [{ createdSince: new Date('2026-02-01T00:00:00Z') }, [disliked, grace]],
    [{ feedback: 'down' }, [disliked]],
    [{ verdict: 'answered' }, [grace]],
    [{ externalUserId: 'grace' }, [grace]],
    [{ externalUserId: 'grace', feedback: 'down' }, []],
  ]
  for (const [filter, ids] of cases) {
    const lines = await exported(home, filter)
    expect(lines.map(({ threadId }) => threadId)).toEqual(ids)
    const { docs } = await test.app.services.threads.list(system, home, { ...filter, page: 1, limit: 100 })
    expect(docs.map(({ id }) => id).toReversed()).toEqual(ids)
  }
  const [line] = await exported(home, { feedback: 'down' })
  expect(line?.messages.map(({ content }) => content)).toEqual(['Which lamp?', 'The Storm 40.'])

  const remove = (filter: ThreadFilter) => test.app.services.threadSelections.remove(system, home, filter)
  expect(await remove({ feedback: 'down' })).toEqual({ deleted: 1, remaining: 0 })
  expect((await exported(home, {})).map(({ threadId }) => threadId)).toEqual([january, grace])
  expect(await remove({})).toEqual({ deleted: 2, remaining: 0 })
  expect((await exported(elsewhere, {})).map(({ threadId }) => threadId)).toEqual([foreign])
})

it('exports many threads in their order, without any twice', async () => {
  const ids: string[] = []
  for (let n = 0; n < 65; n++) ids.push(await talk(home, '05-05'))
  const lines = await exported(home, {})
  expect(lines.map(({ threadId }) => threadId)).toEqual(ids.toSorted())
})

it('lets administrators delete, every member export, and strangers nothing', async () => {
  const { threadSelections } = test.app.services
  const viewer = await createPerson(test.app, { [home]: 'viewer' })
  const stranger = await createPerson(test.app, { [elsewhere]: 'admin' })
  expect((await threadSelections.exportLines(viewer, home, {}).next()).done).toBe(false)
  await expect(threadSelections.remove(viewer, home, {})).rejects.toMatchObject({ code: 'forbidden' })
  await expect(threadSelections.remove(stranger, home, {})).rejects.toMatchObject({ code: 'not_found' })
  expect(() => threadSelections.exportLines(stranger, home, {})).toThrow(expect.objectContaining({ code: 'not_found' }))
})
