import { z } from 'zod'
import { lengths } from './limits'
import { nameSchema } from './text'

export const collectionSchema = z.object({
  name: nameSchema(lengths.collectionName),
  description: z
    .string()
    .trim()
    .max(lengths.collectionDescription, `Description can have at most ${lengths.collectionDescription} characters`)
    .nullish()
    .transform((text) => text ?? ''),
})
export type CollectionInput = z.infer<typeof collectionSchema>

export const collectionEditSchema = collectionSchema.extend({
  agent_model: z.string().trim().max(lengths.model).nullish(),
  agent_prompt: z.string().max(lengths.systemPrompt).nullish(),
})
export type CollectionEdit = z.infer<typeof collectionEditSchema>

export interface CollectionView {
  id: string
  name: string
  description: string
  agent_model: string | null
  agent_prompt: string | null
  organization_id: string
  created_by: string | null
  created_at: string
  /** Fragments stored, and how many of them wait for their vector. */
  fragments: number
  fragments_without_vector: number
  abilities: { edit: boolean; delete: boolean; addSource: boolean }
}
