import { keyRates } from '../../../contract/values/limits'
import { system } from '../../../server/actor'
import { createTransformersEmbedder } from '../../../server/adapters/embedding/transformers'
import type { Fragment } from '../../../server/engine/ports/extractor'
import { openTestApp } from '../../support/app'
import { largeCollection } from '../large-collection'
import { modelFolder } from '../manuals'

/** Fills the data folder with a large collection, and returns the public key of an agent that searches it. */
export async function publicAgent(
  folder: string,
  texts: Fragment[],
  total: number,
): Promise<{ key: string; collectionId: string }> {
  const { app } = await openTestApp({ DATA_DIR: folder })
  const embedder = await createTransformersEmbedder({ modelFolder })
  const { organizationId, collectionId } = await largeCollection(app, { texts, embedder, total })
  await embedder.close()
  const named = { name: 'Bench', description: '', useDefaults: false, collectionId }
  const agent = await app.services.agents.create(system, organizationId, named)
  const keys = { regenerate: false, rateLimit: keyRates.max }
  const { public_key: key } = await app.services.keychains.save(system, { organizationId, agentId: agent.id }, keys)
  await app.close()
  return { key, collectionId }
}

/** Three words of one of the texts, as people search. */
export function queryOf(texts: Fragment[], n: number): string {
  const words = (texts[(Math.abs(n) * 97) % texts.length]?.text ?? '').split(/[^A-Za-z]+/)
  return `${words
    .filter((word) => word.length > 3)
    .slice(0, 3)
    .join(' ')} ${n % 7}`
}
