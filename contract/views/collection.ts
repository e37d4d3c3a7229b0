import { z } from 'zod'
import { count, id, named, text, textOrNull, time } from './fields'

export const collectionViewSchema = z.strictObject({
  id,
  name: text,
  description: text,
  agent_model: textOrNull,
  agent_prompt: textOrNull,
  organization_id: id,
  organization: named,
  created_by: id.nullable(),
  created_at: time,
  fragments: count.describe('Number of fragments.'),
  pending_embeddings: count.describe('Number of fragments without an embedding.'),
  abilities: z.strictObject({ edit: z.boolean(), delete: z.boolean(), addSource: z.boolean() }),
})
export type CollectionView = z.infer<typeof collectionViewSchema>
