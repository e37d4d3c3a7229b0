import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../../db/database'
import { addresses, fragments } from '../../../db/schema/addresses'
import { collections, sources } from '../../../db/schema/collections'
import { organizations } from '../../../db/schema/organizations'
import { openTestDatabase } from '../../../tests/support/database/database'
import { createCollectionLanguages } from './collection-languages'

let database: Database
beforeAll(async () => {
  database = (await openTestDatabase()).database
})
afterAll(() => database.close())

/** A collection with a source for each of these lists, of which each entry is the language of a fragment. */
async function collectionOf(...bySource: string[][]): Promise<string> {
  const id = crypto.randomUUID()
  await database.write(async (tx) => {
    await tx.insert(organizations).values({ id, name: 'Fennel' })
    await tx.insert(collections).values({ id, organizationId: id, name: 'Pages' })
    for (const [n, languages] of bySource.entries()) {
      const keys = { organizationId: id, collectionId: id, sourceId: `${id}-${n}` }
      await tx.insert(sources).values({ ...keys, id: keys.sourceId, type: 'url', name: '', status: 'idle' })
      const addressId = `${keys.sourceId}-page`
      await tx.insert(addresses).values({ ...keys, id: addressId, url: 'https://lamps.example', status: 'idle' })
      const texts = { title: '', headings: '', text: '', hash: '', tokens: 1 }
      if (languages.length > 0)
        await tx
          .insert(fragments)
          .values(languages.map((language, ordinal) => ({ ...keys, ...texts, addressId, ordinal, language })))
    }
  })
  return id
}

test('samples the fragments of all sources', async () => {
  const languagesOf = createCollectionLanguages(database.read)
  const english = Array.from({ length: 500 }, () => 'en-US')
  const id = await collectionOf([...english, ...english.slice(0, 300).map(() => 'de')], ['pl', 'pl', 'pl', ''], [])
  expect((await languagesOf(id)).frequent).toEqual(['en', 'de'])
  const otherText = await collectionOf(
    english.slice(0, 10),
    english.slice(0, 10).map(() => 'pl'),
  )
  expect((await languagesOf(otherText)).frequent).toEqual(['en', 'pl'])
})

test('looks again while a collection is empty', async () => {
  const languagesOf = createCollectionLanguages(database.read)
  expect((await languagesOf('none')).frequent).toEqual([])
  expect((await languagesOf(await collectionOf([]))).frequent).toEqual([])
})

test('names the language of most texts if the model does not know it', async () => {
  const unknownIn = async (tokensPerWord: number, languages: string[]) => {
    const id = await collectionOf(languages)
    await database.write((tx) => tx.update(fragments).set({ tokensPerWord }).where(eq(fragments.collectionId, id)))
    return (await createCollectionLanguages(database.read)(id)).unknownToModel
  }
  const polish = ['pl', 'pl', 'pl-PL', 'cs', '']
  expect(await unknownIn(2.6, polish)).toBe('pl')
  expect(await unknownIn(2.4, polish)).toBeNull()
  expect(await unknownIn(3, ['en', 'en', 'en', 'pl'])).toBeNull()
  expect(await unknownIn(3, ['pl', 'cs', 'de'])).toBeNull()
  expect(await unknownIn(3, [])).toBeNull()
})
