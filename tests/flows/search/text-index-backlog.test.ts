import { eq } from 'drizzle-orm'
import { afterEach, expect, it } from 'vitest'
import { fragments, textIndexBacklog } from '../../../db/schema/addresses'
import { system } from '../../../server/actor'
import { enqueue } from '../../../server/services/jobs/jobs'
import { createTestApp, type TestApp } from '../../support/app'
import { addCollection, addTexts } from '../../support/texts'

const lamps = { organizationId: 'o1', collectionId: 'lamps' }

let test: TestApp | undefined
afterEach(async () => {
  await test?.close()
  test = undefined
})

/** The state after a migration that changes how words are indexed. */
async function withoutWords(texts: string[]): Promise<TestApp> {
  test = await createTestApp()
  const { app, runner } = test
  await addCollection(app, lamps)
  await addTexts(app, lamps, texts)
  await app.db.write(async (tx) => {
    await tx.insert(textIndexBacklog).select(tx.select({ key: fragments.key }).from(fragments))
    await enqueue(tx, { kind: 'reindex-text', payload: {}, dedupeKey: 'reindex-text' })
  })
  runner.wake()
  return test
}

it('indexes fragments that are missing from the text index', async () => {
  const { app, runner } = await withoutWords([...Array.from({ length: 70 }, (_, n) => `wick ${n}`), 'an old gasket'])
  await runner.idle()
  const found = async (query: string) => {
    const { fragments: hits } = await app.services.search.collection(system, 'o1', {
      collectionId: 'lamps',
      query,
      limit: 3,
    })
    return hits.map(({ content }) => content)
  }
  expect((await found('wick 42'))[0]).toBe('wick 42')
  expect(await found('old gasket')).toEqual(['an old gasket'])
  expect(await app.db.read.$count(textIndexBacklog)).toBe(0)
})

it('skips fragments that were deleted in the meantime', async () => {
  const { app, runner } = await withoutWords(['a lamp', 'a gasket'])
  await app.db.write((tx) => tx.delete(fragments).where(eq(fragments.text, 'a gasket')))
  await runner.idle()
  expect(await app.db.read.$count(textIndexBacklog)).toBe(0)
  const search = (query: string) => app.services.search.collection(system, 'o1', { collectionId: 'lamps', query })
  expect((await search('gasket')).fragments).toEqual([])
  expect((await search('lamp')).fragments).toHaveLength(1)
})
