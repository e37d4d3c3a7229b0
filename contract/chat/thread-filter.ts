import { z } from 'zod'
import { dateSchema } from '../values/date'
import { ratings, verdicts } from '../values/enumerations'
import { lengths } from '../values/limits'

const fields = {
  agentId: z.string().max(64),
  createdBy: z.string().max(64),
  verdict: z.enum(verdicts, `verdict is one of ${verdicts.join(', ')}`),
  feedback: z.enum(ratings, `feedback is one of ${ratings.join(', ')}`),
  question: z.string().trim().max(256, 'question can have at most 256 characters'),
  externalUserId: z.string().max(lengths.externalId),
}
const descriptions = {
  verdict: 'Verdict of the last answer that has one.',
  feedback: 'Feedback on the last answer that has some.',
  question: 'Part of a question.',
  externalUserId: 'Id of the visitor, as the website sends it.',
}
const createdSince = dateSchema('createdSince', 'start')
const createdUntil = dateSchema('createdUntil', 'end')

/** Filters of a list of threads; empty and invalid values are ignored. */
export const threadFilterSchema = z.object({
  agentId: lenient(fields.agentId),
  createdBy: lenient(fields.createdBy),
  verdict: fields.verdict.optional().catch(undefined).describe(descriptions.verdict),
  feedback: fields.feedback.optional().catch(undefined).describe(descriptions.feedback),
  question: lenient(fields.question).describe(descriptions.question),
  externalUserId: lenient(fields.externalUserId).describe(descriptions.externalUserId),
  createdSince: createdSince.catch(undefined),
  createdUntil: createdUntil.catch(undefined),
})
export type ThreadFilter = z.infer<typeof threadFilterSchema>

/** The same filters for calls about all threads that match. Unknown, empty and invalid ones are refused. */
export const threadSelectionSchema = z.strictObject({
  agentId: fields.agentId.min(1, 'agentId is the id of an agent').optional(),
  createdBy: fields.createdBy.min(1, 'createdBy is the id of a person').optional(),
  verdict: fields.verdict.optional().describe(descriptions.verdict),
  feedback: fields.feedback.optional().describe(descriptions.feedback),
  question: fields.question.min(1, 'question is a part of a question').optional().describe(descriptions.question),
  externalUserId: fields.externalUserId
    .min(1, 'externalUserId is the id of a visitor')
    .optional()
    .describe(descriptions.externalUserId),
  createdSince,
  createdUntil,
})

/** Without a filter, `all` has to say that every thread is meant. */
export const threadDeletionSchema = threadSelectionSchema.extend({
  all: z.literal('true', "all is 'true'").optional().describe('Required if no filter is set.'),
})

function lenient(schema: z.ZodString) {
  return schema
    .transform((text) => text || undefined)
    .optional()
    .catch(undefined)
}
