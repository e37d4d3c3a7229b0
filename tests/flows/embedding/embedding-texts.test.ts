import { eq, gt, sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { engine } from '../../../db/engine'
import { fragments } from '../../../db/schema/addresses'
import { collections } from '../../../db/schema/collections'
import { SQLite } from '../../../db/sqlite-driver'
import { system } from '../../../server/actor'
import type { App } from '../../../server/app'
import type { Embedder } from '../../../server/engine/ports/search-index'
import { openTestApp } from '../../support/app'
import { addCollection, addTexts } from '../../support/texts'

const lamps = { organizationId: 'o1', collectionId: 'lamps' }
const bulbs = { organizationId: 'o1', collectionId: 'bulbs' }
const foreign = { organizationId: 'o2', collectionId: 'foreign' }

let app: App
let asked: string[]
beforeEach(async () => {
  app = (await openTestApp()).app
  asked = []
  for (const place of [lamps, bulbs, foreign]) await addCollection(app, place)
})
afterEach(() => app.close())

/** Vectors that tell the texts apart, and the times that one was asked for. */
function embedder(model: string): Embedder {
  const dimensions = 384
  const vectorOf = (text: string) => {
    const last = text.split('\n').at(-1) ?? ''
    return Float32Array.from({ length: dimensions }, (_, n) => last.charCodeAt(n % last.length) + asked.length / 1_000)
  }
  return {
    model,
    dimensions,
    embedQuery: async (text) => vectorOf(text),
    embedPassages: async (texts) => {
      asked.push(...texts)
      return texts.map(vectorOf)
    },
    close: async () => {},
  }
}

async function embedAll(collectionId: string): Promise<void> {
  while ((await app.services.embedding.embedNext(collectionId, new AbortController().signal)) > 0);
}

async function vectorsIn(collectionId: string) {
  const rows = await app.db.read.execute<{ text: string; vector: Buffer }>(sql`select text, vector from fragments
    join fragment_vectors on fragment_vectors.key = fragments.key where fragments.collection_id = ${collectionId}
    order by fragments.key`)
  return rows.map(({ text, vector }) => `${text}: ${Buffer.from(vector).toString('hex')}`)
}

it('embeds a repeated text once', async () => {
  await addTexts(app, lamps, ['a', 'b', 'a', ...Array<string>(200).fill('c'), 'a'])
  await app.services.embedding.ready(embedder('one'))
  await embedAll('lamps')
  expect(asked.sort()).toEqual(['Care\na', 'Care\nb', 'Care\nc'])
  const vectors = await vectorsIn('lamps')
  expect([vectors.length, new Set(vectors).size]).toEqual([204, 3])
  const rows = await app.db.read.select().from(fragments).where(eq(fragments.vectorModel, 'one'))
  expect(rows).toHaveLength(204)
})

it('reuses vectors across collections, but not across organizations', async () => {
  await addTexts(app, lamps, ['a', 'b'])
  await app.services.embedding.ready(embedder('one'))
  await embedAll('lamps')
  asked = []

  await addTexts(app, bulbs, ['b', 'c', 'a'])
  await embedAll('bulbs')
  expect(asked).toEqual(['Care\nc'])
  expect((await vectorsIn('bulbs')).sort().slice(0, 2)).toEqual(await vectorsIn('lamps'))

  await addTexts(app, foreign, ['a', 'b'])
  await embedAll('foreign')
  expect(asked).toEqual(['Care\nc', 'Care\na', 'Care\nb'])
})

it.runIf(engine === 'sqlite')('does not reuse vectors of deleted texts or other models', async () => {
  await addTexts(app, lamps, ['a', 'b'])
  await app.services.embedding.ready(embedder('one'))
  await embedAll('lamps')
  await app.db.write((tx) => tx.execute(sql`delete from fragment_vectors where key = 1`))
  asked = []
  await addTexts(app, bulbs, ['a', 'b'])
  await embedAll('bulbs')
  expect(asked).toEqual(['Care\na'])

  // The vectors of another model that was changed by hand.
  await app.db.write((tx) => tx.update(collections).set({ vectorModel: 'two' }).where(eq(collections.id, 'lamps')))
  asked = []
  await addTexts(app, bulbs, ['a', 'b'])
  await app.db.write((tx) =>
    tx.update(fragments).set({ vectorModel: 'two' }).where(eq(fragments.collectionId, 'bulbs')),
  )
  await app.db.write((tx) => tx.update(fragments).set({ vectorModel: null }).where(gt(fragments.key, 4)))
  await embedAll('bulbs')
  expect(asked).toEqual(['Care\na', 'Care\nb'])
})

it.runIf(engine === 'sqlite')('looks up equal texts by an index', async () => {
  await addTexts(app, lamps, ['a'])
  await app.services.embedding.ready(embedder('one'))
  const prepare = vi.spyOn(SQLite.prototype, 'prepare')
  await embedAll('lamps')
  const statement = prepare.mock.calls.map(([text]) => text).find((text) => text.includes('"fragments"."hash" ='))
  prepare.mockRestore()
  const connection = new SQLite(app.config.databaseFile, { readonly: true })
  const plan = connection.prepare(`explain query plan ${statement}`).all('one', 'o1', 'hash', 'one', 1) as {
    detail: string
  }[]
  connection.close()
  expect(plan.map(({ detail }) => detail).join()).toContain(
    'fragments_organization_hash (organization_id=? AND hash=?)',
  )
})

it('changes no fragments if the embedder returns too few vectors', async () => {
  await addTexts(app, lamps, ['a', 'b'])
  await app.services.embedding.ready({ ...embedder('one'), embedPassages: async () => [] })
  await expect(embedAll('lamps')).rejects.toThrow('fewer vectors')
  expect(await app.db.read.select().from(fragments).where(eq(fragments.vectorModel, 'one'))).toEqual([])
})

it('leaves out sources whose indexing is paused, until it is resumed', async () => {
  await addTexts(app, lamps, ['a', 'b'])
  await app.services.embedding.ready(embedder('one'))
  const [row] = await app.db.read.select({ sourceId: fragments.sourceId }).from(fragments)
  const ref = { ...lamps, sourceId: row?.sourceId ?? '' }
  await app.services.runControl.pause(system, ref)
  await embedAll('lamps')
  expect(asked).toEqual([])
  const indexing = async () => (await app.services.sources.get(system, ref)).indexing
  expect(await indexing()).toMatchObject({ done: 0, total: 2, paused: true, seconds_left: null })
  await app.services.runControl.resume(system, ref)
  expect(await indexing()).toMatchObject({ paused: false })
  await embedAll('lamps')
  expect(asked.sort()).toEqual(['Care\na', 'Care\nb'])
  expect(await indexing()).toBeNull()
  // At rest there is nothing to pause.
  await app.services.runControl.pause(system, ref)
  await addTexts(app, lamps, ['c'])
  expect(await indexing()).toMatchObject({ paused: false })
})
