import { z } from 'zod'
import { count, id, text, textOrNull } from '../fields'

/** A citation in the format of OpenAI. */
const annotationSchema = z.strictObject({
  type: z.literal('url_citation'),
  url_citation: z.strictObject({ start_index: count, end_index: count, url: text, title: text }),
})
export type CompletionAnnotation = z.infer<typeof annotationSchema>

const finishReason = z.enum(['stop', 'length', 'content_filter'])
export type FinishReason = z.infer<typeof finishReason>

const usageSchema = z.strictObject({ prompt_tokens: count, completion_tokens: count, total_tokens: count })

/** What a completion and its chunks have in common. */
const heading = { id, created: count, model: id }

/** A chat completion of OpenAI. */
export const completionViewSchema = z.strictObject({
  ...heading,
  object: z.literal('chat.completion'),
  choices: z.array(
    z.strictObject({
      index: count,
      message: z.strictObject({
        role: z.literal('assistant'),
        content: text,
        refusal: z.null(),
        annotations: z.array(annotationSchema),
      }),
      logprobs: z.null(),
      finish_reason: finishReason,
    }),
  ),
  usage: usageSchema,
})
export type CompletionView = z.infer<typeof completionViewSchema>

/** An error in the format of OpenAI. */
export const openAiErrorSchema = z.strictObject({
  error: z.strictObject({ message: text, type: text, param: textOrNull, code: text }),
})

/** A chunk of a completion that is streamed, or the error that ends it. */
export const completionChunkSchema = z.union([
  z.strictObject({
    ...heading,
    object: z.literal('chat.completion.chunk'),
    choices: z.array(
      z.strictObject({
        index: count,
        delta: z.strictObject({
          role: z.literal('assistant').optional(),
          content: text.optional(),
          annotations: z.array(annotationSchema).optional(),
        }),
        logprobs: z.null(),
        finish_reason: finishReason.nullable(),
      }),
    ),
    usage: usageSchema.optional(),
  }),
  openAiErrorSchema,
])

/** The agent of a key, as OpenAI lists its models. */
export const modelListSchema = z.strictObject({
  object: z.literal('list'),
  data: z.array(z.strictObject({ id, object: z.literal('model'), created: count, owned_by: text })),
})
