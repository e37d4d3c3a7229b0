import { z } from 'zod'
import { lengths } from './values/limits'
import { nameSchema } from './values/text'

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
  agent_model: z.string().trim().max(lengths.model, `Model can have at most ${lengths.model} characters`).nullish(),
  agent_prompt: z
    .string()
    .max(lengths.systemPrompt, `The system prompt can have at most ${lengths.systemPrompt} characters`)
    .nullish(),
})
export type CollectionEdit = z.infer<typeof collectionEditSchema>

export const embeddingModelSchema = z.object({
  model: z.string('Choose a model').trim().min(1, 'Choose a model').max(200, 'There is no such model'),
})
