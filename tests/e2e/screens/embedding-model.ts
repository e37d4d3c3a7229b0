import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { fragments } from '../../../db/schema/addresses'
import { modelChanges } from '../../../db/schema/collections'
import { organizations } from '../../../db/schema/organizations'
import { system } from '../../../server/actor'
import { writeTinyModel } from '../../support/embedding/tiny-model'
import { addSource, addTexts } from '../../support/texts'
import type { Tour } from './tour'

const multilingual = 'intfloat/multilingual-e5-small'

/** A collection whose language its model does not know, and the change of its model. */
export async function embeddingModelScreens({ app, page, origin, idle, ready, shoot }: Tour): Promise<void> {
  const [organization] = await app.db.read.select().from(organizations).where(eq(organizations.name, 'Harbour Lamps'))
  const organizationId = organization?.id ?? ''
  const { id } = await app.services.collections.create(system, organizationId, { name: 'Lampy', description: '' })
  const ref = { organizationId, collectionId: id }
  await addSource(app, ref)
  await addTexts(app, ref, ['Latarnia portowa świeci w nocy.', 'Wymień baterię latarni.', 'Gwarancja trwa rok.'])
  await idle()
  await app.db.write((tx) =>
    tx.update(fragments).set({ language: 'pl', tokensPerWord: 3 }).where(eq(fragments.collectionId, id)),
  )
  const path = `/dashboard/collection/${id}`
  await shoot(page, 'model-weak', path)
  await page.goto(`${origin}${path}?dialog=embedding-model`)
  await page.getByRole('dialog').waitFor()
  await shoot(page, 'model-none-to-choose')

  const folder = writeTinyModel(join(app.config.embedding.modelsFolder, multilingual))
  await page.goto(`${origin}${path}`)
  await ready()
  await page.getByRole('link', { name: 'Choose a model' }).click()
  await page.getByRole('dialog').waitFor()
  await shoot(page, 'model-choose')
  const change = { ...ref, model: multilingual, phase: 'paused' as const, embedded: 1, activeMs: 60_000 }
  await app.db.write((tx) => tx.insert(modelChanges).values(change))
  const showCard = () => page.getByRole('region', { name: 'Embedding model' }).scrollIntoViewIfNeeded()
  await shoot(page, 'model-change-paused', path, showCard)
  const problem = 'The embedding model could not be loaded.'
  await app.db.write((tx) => tx.update(modelChanges).set({ phase: 'building', message: problem }))
  await shoot(page, 'model-change', path, showCard)
  await app.db.write((tx) => tx.delete(modelChanges))
  await rm(folder, { recursive: true })
  // The page of a collection asks for its progress.
  await page.goto(`${origin}/dashboard`)
  await app.services.collections.remove(system, organizationId, id)
  await idle()
}
