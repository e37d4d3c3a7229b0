import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../../../db/database'
import { organizations } from '../../../db/schema/organizations'
import { messages, threads } from '../../../db/schema/threads'
import { openTestDatabase } from '../../../tests/support/database/database'
import { questionDays } from './question-days'

const now = new Date('2026-03-02T12:00:00Z')
let db: Database

beforeEach(async () => {
  db = (await openTestDatabase()).database
  await db.write((tx) =>
    tx.insert(organizations).values([
      { id: 'o1', name: 'Fennel' },
      { id: 'o2', name: 'Sorrel' },
    ]),
  )
})
afterEach(() => db.close())

async function addThread(createdAt: string, verdicts: ('answered' | 'partly' | 'not-found' | null)[], of = 'o1') {
  await db.write(async (tx) => {
    const thread = { id: `${of} ${createdAt}`, organizationId: of, title: 'Question', createdAt: new Date(createdAt) }
    await tx.insert(threads).values(thread)
    for (const verdict of verdicts)
      await tx.insert(messages).values({ threadId: thread.id, role: 'agent', content: 'Yes.', status: 2, verdict })
  })
}

it('counts the answers of 30 days by the day on which the conversation began', async () => {
  await addThread('2026-03-02T00:00:00Z', ['answered', 'partly', 'not-found', null])
  await addThread('2026-03-01T23:59:59.999Z', ['not-found'])
  await addThread('2026-02-01T00:00:00Z', ['answered'])
  await addThread('2026-01-31T23:59:59.999Z', ['answered'])
  await addThread('2026-03-01T10:00:00Z', ['answered'], 'o2')
  const days = await questionDays(db.read, 'o1', now)
  expect(days).toHaveLength(30)
  expect(days.filter((day) => day.answered + day.not_found > 0)).toEqual([
    { day: '2026-02-01', answered: 1, not_found: 0 },
    { day: '2026-03-01', answered: 0, not_found: 1 },
    { day: '2026-03-02', answered: 2, not_found: 1 },
  ])
})
