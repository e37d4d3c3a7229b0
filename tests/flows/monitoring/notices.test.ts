import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { runOutcomes } from '../../../db/schema/addresses'
import { agents } from '../../../db/schema/agents'
import { collections, runs, sources } from '../../../db/schema/collections'
import { jobs } from '../../../db/schema/jobs'
import { noticeMails, notices } from '../../../db/schema/notices'
import { organizations } from '../../../db/schema/organizations'
import { messages, threads } from '../../../db/schema/threads'
import { usage } from '../../../db/schema/usage'
import { users } from '../../../db/schema/users'
import { type Actor, system } from '../../../server/actor'
import { createMail } from '../../../server/services/mail/mail'
import type { Mail } from '../../../server/services/mail/render-mail'
import { createNotices } from '../../../server/services/notices/notices'
import { createTestApp, type TestApp } from '../../support/app'
import { createPerson } from '../../support/people/people'

const now = new Date('2026-11-28T12:00:00Z')
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
const site = 'https://ask.example.com'

let test: TestApp
let organizationId: string
let collectionId: string
let admin: Awaited<ReturnType<typeof createPerson>>
let disk = { free: 50, total: 100 }
let failure: { at: string; message: string } | null = null
let sent: Mail[] = []

const service = () => {
  const { db, log } = test.app
  const mail = createMail({
    mailer: { send: async (letter) => void sent.push(letter) },
    createLimiter: () => ({ take: async () => null }),
  })
  const storage = async () => ({ disk })
  const backups = async () => ({ next_at: null, failure })
  return createNotices({ db, mail, publicUrl: site, storage, backups, log })
}

beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())
beforeEach(async () => {
  const { db, services } = test.app
  await db.write(async (tx) => {
    for (const table of [notices, noticeMails, jobs, usage, runs, sources, collections, threads, agents])
      await tx.delete(table)
    await tx.delete(organizations)
    await tx.delete(users)
  })
  organizationId = (await services.organizations.create(system, { name: 'Lamps', entity_name: '' })).id
  collectionId = (await services.collections.create(system, organizationId, { name: 'Shop', description: '' })).id
  admin = await createPerson(test.app, { [organizationId]: 'admin' })
  await createPerson(test.app, { [organizationId]: 'viewer' })
  sent = []
  disk = { free: 50, total: 100 }
  failure = null
})

/** Sends the mails that a check enqueued, as the workers do. */
async function deliver(): Promise<Mail[]> {
  for (const job of await test.app.db.read.select().from(jobs).where(eq(jobs.kind, 'mail-notice'))) {
    await service().send(job.payload)
    await test.app.db.write((tx) => tx.delete(jobs).where(eq(jobs.id, job.id)))
  }
  return sent.splice(0)
}

async function titles(actor: Actor = admin): Promise<string[]> {
  return (await service().list(actor, organizationId)).map(({ title }) => title)
}

async function addSource(name: string, status: 'fail' | 'idle'): Promise<string> {
  const values = {
    organizationId,
    collectionId,
    name,
    type: 'domain' as const,
    url: `https://${name}.example/`,
    status,
  }
  const message = status === 'fail' ? 'robots.txt blocks Sitelore.' : null
  const [row] = await test.app.db.write((tx) =>
    tx
      .insert(sources)
      .values({ ...values, message } as typeof sources.$inferInsert)
      .returning({ id: sources.id }),
  )
  return row?.id ?? ''
}

type Outcomes = Partial<Record<(typeof runOutcomes.$inferInsert)['outcome'], number>>

async function addRun(sourceId: string, minutes: number, outcomes: Outcomes, kind: 'full' | 'address' = 'full') {
  const time = later(minutes)
  await test.app.db.write(async (tx) => {
    const [run] = await tx.insert(runs).values({ sourceId, kind, startedAt: time, finishedAt: time }).returning()
    for (const [outcome, count] of Object.entries(outcomes)) {
      const row = { runId: run?.id ?? '', outcome, reason: '', count, fetched: count, bytes: 0 }
      await tx.insert(runOutcomes).values(row as typeof runOutcomes.$inferInsert)
    }
  })
}

it('notices a source that failed three times, and mails its administrators once', async () => {
  const id = await addSource('shop', 'fail')
  await addRun(id, -30, { failed: 1 })
  await addRun(id, -20, { failed: 1 })
  // A single address that a person tried says nothing of the source.
  await addRun(id, -15, { failed: 1 }, 'address')
  await service().check(now)
  expect(await titles()).toEqual([])
  await addRun(id, -10, { failed: 2 })
  await service().check(now)
  expect(await titles()).toEqual(['Sitelore could not read shop three times in a row'])
  const [mail, ...others] = await deliver()
  expect(others).toEqual([])
  expect(mail).toMatchObject({
    to: admin.email,
    subject: 'Sitelore could not read shop three times in a row',
  })
  expect(mail?.text).toContain(`${site}/dashboard/collection/${collectionId}/source/${id}`)
  expect(mail?.text).toContain('robots.txt blocks Sitelore.')
  expect(mail?.text).toContain(`${site}/dashboard/account`)
  await service().check(later(120))
  expect(await deliver()).toEqual([])
  await test.app.db.write((tx) => tx.update(sources).set({ status: 'idle' }).where(eq(sources.id, id)))
  await service().check(later(130))
  expect(await titles()).toEqual([])
})

it('notices a crawl that lost more than a fifth of its pages, until the next', async () => {
  const [much, little] = [await addSource('much', 'idle'), await addSource('little', 'idle')]
  await addRun(much, -60, { new: 100 })
  await addRun(much, -10, { unchanged: 70, changed: 9, withdrawn: 21, skipped: 500 })
  await addRun(little, -10, { unchanged: 80, withdrawn: 20 })
  await service().check(now)
  expect(await titles()).toEqual(['much lost 21 of 100 pages'])
  await addRun(much, -5, { unchanged: 79 })
  await service().check(now)
  expect(await titles()).toEqual([])
})

it('notices 80 and 100 % of a limit, and does not come and go with it', async () => {
  await test.app.services.plans.set(system, 'small', { display_name: 'Small', messages: 100, urls: 0 })
  await test.app.services.plans.assign(system, organizationId, 'small')
  const use = async (count: number) => {
    const month = { organizationId, year: 2026, month: 11, messages: count, urls: 5_000 }
    const target = [usage.organizationId, usage.year, usage.month]
    await test.app.db.write((tx) => tx.insert(usage).values(month).onConflictDoUpdate({ target, set: month }))
    await service().check(now)
    return titles()
  }
  const [most, all] = ['Messages: 80 % of the plan is used', "Messages: the plan's limit is reached"]
  expect(await use(79)).toEqual([])
  expect(await use(80)).toEqual([most])
  expect(await use(76)).toEqual([most])
  expect(await use(74)).toEqual([])
  expect(await use(76)).toEqual([])
  expect(await use(100)).toEqual([all])
  expect(await use(96)).toEqual([all])
  expect(await use(94)).toEqual([most])
})

it('notices an agent of whose last ten answers more than half failed', async () => {
  const { services, db } = test.app
  const { id } = await services.agents.create(system, organizationId, { name: 'Guide', description: '' } as never)
  await db.write((tx) => tx.update(agents).set({ failedAnswers: 1 }).where(eq(agents.id, id)))
  const [thread] = await db.write((tx) =>
    tx.insert(threads).values({ organizationId, agentId: id, title: 'Asked' }).returning(),
  )
  let minute = 0
  const answer = async (status: number) => {
    minute += 1
    const row = { threadId: thread?.id ?? '', role: 'error' as const, content: '', status, createdAt: later(minute) }
    await db.write((tx) => tx.insert(messages).values({ ...row, statusMessage: 'The provider is not available.' }))
  }
  for (let n = 0; n < 5; n++) await answer(2)
  for (let n = 0; n < 5; n++) await answer(0)
  await service().check(now)
  expect(await titles()).toEqual([])
  await answer(0)
  await service().check(now)
  expect(await titles()).toEqual(['6 of the last 10 answers of Guide failed'])
  // An answer that succeeds ends it.
  await db.write((tx) => tx.update(agents).set({ failedAnswers: 0 }).where(eq(agents.id, id)))
  await service().check(now)
  expect(await titles()).toEqual([])
})

it('tells the operators, and nobody else, of the disk and of backups', async () => {
  const staff = await createPerson(test.app, { [organizationId]: 'viewer' }, { staff: true })
  disk = { free: 9, total: 100 }
  failure = { at: now.toISOString(), message: 'The folder is not writable.' }
  await service().check(now)
  const expected = ['Only 9 % of the disk is free', 'The scheduled backup failed']
  expect((await titles(staff)).sort()).toEqual(expected)
  expect(await titles()).toEqual([])
  const mails = await deliver()
  expect(mails.map(({ to }) => to)).toEqual([staff.email, staff.email])
  expect(mails.map(({ subject }) => subject).sort()).toEqual(expected)
  expect(mails[0]?.text).toContain(`${site}/admin/health`)
})

it('sends at most one mail an hour of a kind, with all that is new', async () => {
  const fail = async (name: string) => {
    const id = await addSource(name, 'fail')
    for (const minutes of [-30, -20, -10]) await addRun(id, minutes, { failed: 1 })
  }
  await fail('first')
  await service().check(now)
  expect(await deliver()).toHaveLength(1)
  for (const name of ['second', 'third']) await fail(name)
  await service().check(later(59))
  expect(await deliver()).toEqual([])
  await service().check(later(60))
  const [mail] = await deliver()
  expect(mail?.subject).toMatch(/^Sitelore could not read (second|third) three times in a row, and 1 more$/)
  expect(mail?.text).toContain(`${site}/dashboard\n`)
  for (const name of ['second', 'third']) expect(mail?.text).toContain(`could not read ${name}`)
  expect(mail?.text).not.toContain('could not read first')
})

it('mails nobody who does not want it, and nothing that is over', async () => {
  failure = { at: now.toISOString(), message: 'No room.' }
  const staff = await createPerson(test.app, {}, { staff: true })
  expect(await service().isWanted(staff)).toBe(true)
  await service().want(staff, false)
  expect(await service().isWanted(staff)).toBe(false)
  await service().check(now)
  expect(await deliver()).toEqual([])
  await service().want(staff, true)
  failure = null
  disk = { free: 0, total: 100 }
  await service().check(later(61))
  disk = { free: 50, total: 100 }
  await service().check(later(62))
  expect(await deliver()).toEqual([])
})

it('makes no link of a name that strangers choose', async () => {
  const id = await addSource('shop', 'fail')
  await test.app.db.write((tx) =>
    tx.update(sources).set({ name: 'Win at https://evil.example' }).where(eq(sources.id, id)),
  )
  for (const minutes of [-30, -20, -10]) await addRun(id, minutes, { failed: 1 })
  await service().check(now)
  const [mail] = await deliver()
  expect(mail?.text).not.toContain('https://evil.example')
  expect(mail?.subject).not.toContain('://')
})
