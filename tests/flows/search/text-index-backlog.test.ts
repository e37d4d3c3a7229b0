import { eq } from 'drizzle-orm'
import { afterEach, expect, it } from 'vitest'
import { fragments, textIndexBacklog } from '../../../db/schema/addresses'
import { system } from '../../../server/actor'
import type { App } from '../../../server/app'
import { createTestApp, openTestApp, type TestApp } from '../../support/app'
import { addCollection, addTexts } from '../../support/texts'

const lamps = { organizationId: 'o1', collectionId: 'lamps' }

let test: TestApp | undefined
afterEach(async () => {
  await test?.close()
  test = undefined
})

/** The first start after a migration that changes how words are indexed. `change` happens before it. */
async function withoutWords(
  texts: string[],
  change: (app: App) => Promise<unknown> = async () => {},
): Promise<TestApp> {
  const { app, dataDir } = await openTestApp()
  await addCollection(app, lamps)
  await addTexts(app, lamps, texts)
  await app.db.write(async (tx) => {
    await tx.insert(textIndexBacklog).select(tx.select({ key: fragments.key }).from(fragments))
  })
  await change(app)
  await app.close()
  test = await createTestApp({ DATA_DIR: dataDir })
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
  const { app, runner } = await withoutWords(['a lamp', 'a gasket'], ({ db }) =>
    db.write((tx) => tx.delete(fragments).where(eq(fragments.text, 'a gasket'))),
  )
  await runner.idle()
  expect(await app.db.read.$count(textIndexBacklog)).toBe(0)
  const search = (query: string) => app.services.search.collection(system, 'o1', { collectionId: 'lamps', query })
  expect((await search('gasket')).fragments).toEqual([])
  expect((await search('lamp')).fragments).toHaveLength(1)
})
