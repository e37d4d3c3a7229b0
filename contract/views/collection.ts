import { z } from 'zod'
import { count, id, text, textOrNull, time } from './fields'

export const collectionViewSchema = z.strictObject({
  id,
  name: text,
  description: text,
  agent_model: textOrNull,
  agent_prompt: textOrNull,
  organization_id: id,
  created_by: id.nullable(),
  created_at: time,
  /** Number of fragments, and of those without an embedding. */
  fragments: count,
  pending_embeddings: count,
  abilities: z.strictObject({ edit: z.boolean(), delete: z.boolean(), addSource: z.boolean() }),
})
export type CollectionView = z.infer<typeof collectionViewSchema>
