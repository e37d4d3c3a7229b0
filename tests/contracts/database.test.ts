import { EventEmitter, once } from 'node:events'
import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database, Queries, Transaction } from '../../db/database'
import { isConstraintError } from '../../db/errors'
import { addresses, fragments } from '../../db/schema/addresses'
import { agents } from '../../db/schema/agents'
import { collections, sources } from '../../db/schema/collections'
import { jobs, workers } from '../../db/schema/jobs'
import { members, organizations } from '../../db/schema/organizations'
import { messages, threads } from '../../db/schema/threads'
import { users } from '../../db/schema/users'
import { contains } from '../../db/sql'
import { openTestDatabase } from '../support/database/database'

let database: Database
let url: string

beforeAll(async () => {
  ;({ database, url } = await openTestDatabase())
})
afterAll(() => database.close())
beforeEach(() =>
  database.write(async (tx) => {
    await tx.delete(jobs)
    await tx.delete(workers)
    await tx.delete(organizations)
    await tx.delete(users)
  }),
)

async function one<Row>(rows: Promise<Row[]>): Promise<Row> {
  const [row] = await rows
  if (!row) throw new Error('No row came back.')
  return row
}

const createOrganization = (name = 'Acme') =>
  database.write((tx) => one(tx.insert(organizations).values({ name }).returning()))

async function createSource() {
  const { id: organizationId } = await createOrganization()
  return database.write(async (tx) => {
    const collection = await one(tx.insert(collections).values({ organizationId, name: 'Manuals' }).returning())
    const values = {
      organizationId,
      collectionId: collection.id,
      type: 'url' as const,
      name: 'a',
      status: 'new' as const,
    }
    return one(tx.insert(sources).values(values).returning())
  })
}

function addressOf(source: typeof sources.$inferSelect, url: string) {
  const { organizationId, collectionId, id: sourceId } = source
  return { organizationId, collectionId, sourceId, url, status: 'new' as const }
}

describe('rows', () => {
  it('come back as they were given', async () => {
    const onboarding = { goals: ['search', 'Hi "there" — ☕'], size: 'Solo (1)' }
    const created = await database.write((tx) =>
      tx.insert(organizations).values({ name: 'Acme', onboarding }).returning(),
    )
    const [read] = await database.read.select().from(organizations)
    expect(created).toEqual([read])
    expect(read).toMatchObject({
      id: expect.any(String),
      name: 'Acme',
      plan: 'free',
      onboarding,
      createdAt: expect.any(Date),
      onboardedAt: null,
    })
    expect(Math.abs(Number(read?.createdAt.getTime()) - Date.now())).toBeLessThan(60_000)
  })

  it('store numbers, booleans, any JSON and text that PostgreSQL alone would refuse', async () => {
    const { id: organizationId } = await createOrganization()
    const settings = {
      fragmentSimilarity: 0.3,
      fragmentLimit: 20,
      maxTotalOutputTokens: 4096,
      historyLimit: -1,
      messageLength: 512,
    }
    const [agent] = await database.write((tx) =>
      tx
        .insert(agents)
        .values({ organizationId, name: 'a', ...settings })
        .returning(),
    )
    expect(agent).toMatchObject({ ...settings, usesOrganizationKey: false, refusedKeyHash: null })
    const [thread] = await database.write((tx) => tx.insert(threads).values({ organizationId, title: 'a' }).returning())
    const cited = { id: 'x\0\ud800', score: 0.25, url: '', link: '', title: '', headings: [], content: '' }
    const message = {
      threadId: String(thread?.id),
      role: 'agent' as const,
      content: 'a\0b \ud800 c',
      status: 1,
      fragments: [cited],
    }
    const [stored] = await database.write((tx) => tx.insert(messages).values(message).returning())
    expect(stored).toMatchObject({ content: expect.stringContaining('ab'), fragments: [{ score: 0.25 }] })
    const [job] = await database.write((tx) =>
      tx
        .insert(jobs)
        .values({ kind: 'k', payload: 'text' as never, attempts: 2 ** 40 })
        .returning(),
    )
    expect(job).toMatchObject({ payload: 'text', attempts: 2 ** 40 })
  })

  it('have keys that are never reused', async () => {
    const source = await createSource()
    const address = await database.write((tx) =>
      one(tx.insert(addresses).values(addressOf(source, 'https://a.example/')).returning()),
    )
    const { organizationId, collectionId, sourceId, id: addressId } = address
    const row = {
      organizationId,
      collectionId,
      sourceId,
      addressId,
      ordinal: 0,
      title: '',
      headings: '',
      text: 't',
      hash: 'h',
      tokens: 1,
    }
    const insert = () => database.write((tx) => one(tx.insert(fragments).values(row).returning({ key: fragments.key })))
    const first = await insert()
    await database.write((tx) => tx.delete(fragments).where(eq(fragments.key, first.key)))
    expect((await insert()).key).toBeGreaterThan(first.key)
  })

  it('are inserted or updated', async () => {
    const source = await createSource()
    const put = (status: 'new' | 'idle') =>
      database.write((tx) =>
        tx
          .insert(addresses)
          .values({ ...addressOf(source, 'https://a.example'), status })
          .onConflictDoUpdate({ target: [addresses.sourceId, addresses.url], set: { status: sql`excluded.status` } })
          .returning(),
      )
    const [first] = await put('new')
    const [second] = await put('idle')
    expect(second).toEqual({ ...first, status: 'idle' })
    const again = addressOf(source, 'https://a.example')
    expect(await database.write((tx) => tx.insert(addresses).values(again).onConflictDoNothing().returning())).toEqual(
      [],
    )
  })

  it('are removed with the organization they belong to', async () => {
    await createSource()
    await database.write((tx) => tx.delete(organizations))
    expect(await database.read.$count(sources)).toBe(0)
  })

  it('are listed in pages with their total, joined and searched', async () => {
    const source = await createSource()
    const rows = Array.from({ length: 25 }, (_, i) => ({
      ...addressOf(source, `https://${i % 2 ? 'Odd' : 'even'}.example/${i}_%`),
      createdAt: new Date(i),
    }))
    await database.write((tx) => tx.insert(addresses).values(rows))
    const page = await listAddresses(database.read, source.id, { search: 'ODD', limit: 5, offset: 10 })
    expect(page).toMatchObject({
      total: 12,
      rows: [{ url: 'https://Odd.example/3_%', source: 'a' }, { url: 'https://Odd.example/1_%' }],
    })
    expect((await listAddresses(database.read, source.id, { search: '_%', limit: 50, offset: 0 })).total).toBe(25)
    expect((await listAddresses(database.read, source.id, { search: '3%', limit: 50, offset: 0 })).total).toBe(0)
  })
})

async function listAddresses(
  queries: Queries,
  sourceId: string,
  page: { search: string; limit: number; offset: number },
) {
  const matching = and(eq(addresses.sourceId, sourceId), contains(addresses.url, page.search))
  const rows = await queries
    .select({ url: addresses.url, source: sources.name })
    .from(addresses)
    .innerJoin(sources, eq(sources.id, addresses.sourceId))
    .where(matching)
    .orderBy(desc(addresses.createdAt), asc(addresses.id))
    .limit(page.limit)
    .offset(page.offset)
  return { rows, total: await queries.$count(addresses, matching) }
}

describe('constraints', () => {
  const person = { email: 'Ann@Example.com', emailNormalized: 'ann@example.com', issuer: 'i' }

  it.each([
    ['unique', () => database.write((tx) => tx.insert(users).values({ ...person, subject: 'two' }))],
    [
      'foreign_key',
      () =>
        database.write((tx) => tx.insert(members).values({ organizationId: 'none', userId: 'none', role: 'admin' })),
    ],
    ['check', () => createOrganization('')],
    ['not_null', () => createOrganization(null as never)],
  ] as const)('report %s', async (constraint, work) => {
    await database.write((tx) => tx.insert(users).values({ ...person, subject: 'one' }))
    const error = await (work() as Promise<unknown>).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'ConstraintError', constraint })
    expect(isConstraintError(error, constraint)).toBe(true)
  })

  it('applies the constraint of a partial index to the rows it covers', async () => {
    const job = { kind: 'crawl-source', payload: {}, dedupeKey: 'source-1' }
    await database.write((tx) => tx.insert(jobs).values({ ...job, status: 'done' }))
    await database.write((tx) => tx.insert(jobs).values(job))
    await expect(database.write((tx) => tx.insert(jobs).values(job))).rejects.toMatchObject({ constraint: 'unique' })
  })
})

describe('read', () => {
  it('fails with the error of the engine, without the values that were asked for', async () => {
    const secret = 'a text of a person'
    const asked = sql<number>`no_such_function(${secret})`
    const failures = await Promise.all(
      [
        database.read.select({ asked }).from(organizations),
        database.read.$count(organizations, sql`${asked} = 1`),
        database.read.execute(sql`select ${asked}`),
      ].map((query) => Promise.resolve(query).then(() => null, String)),
    )
    for (const failure of failures) {
      expect(failure).toMatch(/no_such_function/)
      expect(failure).not.toMatch(/Failed query/)
      expect(failure).not.toContain(secret)
    }
  })
})

describe('write', () => {
  const names = async () => (await database.read.select().from(organizations)).map((row) => row.name)

  it('stores all or nothing', async () => {
    const work = database.write(async (tx) => {
      await tx.insert(organizations).values({ name: 'a' })
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    expect(await database.read.$count(organizations)).toBe(0)
  })

  it('shows others nothing before its end, and takes no statements of theirs', async () => {
    const steps = new EventEmitter()
    const inserted = once(steps, 'inserted')
    const looked = once(steps, 'looked')
    const first = database.write(async (tx) => {
      await tx.insert(organizations).values({ name: 'a' })
      steps.emit('inserted')
      await looked
      throw new Error('no')
    })
    await inserted
    // With a pool of connections the second write may end before the first, with one connection it waits.
    const second = createOrganization('b')
    // PGlite has one connection: there even a read waits for the end.
    if (url !== 'postgres:pglite') expect(await names()).not.toContain('a')
    steps.emit('looked')
    await expect(first).rejects.toThrow('no')
    await second
    expect(await names()).toEqual(['b'])
  })

  it('refuses another write or read inside', async () => {
    await expect(database.write(() => database.write(async () => {}))).rejects.toThrow('inside write()')
    await expect(database.write(async () => void (await database.read.$count(jobs)))).rejects.toThrow('inside write()')
    const two = database.writeOne(async (tx) => (await tx.$count(jobs)) + (await tx.$count(sources)))
    await expect(two).rejects.toThrow('one statement')
  })

  it('refuses to end before its statements', async () => {
    const neverSent = database.write(async (tx) => void tx.insert(organizations).values({ name: 'a' }))
    await expect(neverSent).rejects.toThrow('An await is missing')
    let kept: Transaction | undefined
    await database.write(async (tx) => {
      kept = tx
    })
    const late = Promise.resolve(kept?.insert(organizations).values({ name: 'b' }))
    await expect(late).rejects.toMatchObject({ cause: { message: expect.stringContaining('has ended') } })
    expect(await database.read.$count(organizations)).toBe(0)
  })

  it('ends with its first failed statement, even a caught one', async () => {
    const work = database.write(async (tx) => {
      await tx.insert(organizations).values({ name: 'new' })
      await tx
        .insert(organizations)
        .values({ name: '' })
        .catch(() => {})
    })
    await expect(work).rejects.toMatchObject({ constraint: 'check' })
    expect(await database.read.$count(organizations)).toBe(0)
  })

  it('decides alone in its scope, one after another', async () => {
    const { id: organizationId } = await createOrganization()
    const add = () =>
      database.writeAlone(organizationId, async (tx) => {
        const count = await tx.$count(collections, eq(collections.organizationId, organizationId))
        if (count < 3) await tx.insert(collections).values({ organizationId, name: crypto.randomUUID() })
      })
    await Promise.all(Array.from({ length: 20 }, add))
    expect(await database.read.$count(collections)).toBe(3)
  })
})
