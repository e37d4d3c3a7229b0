import { z } from 'zod'
import { verdicts } from '../values/enumerations'

const id = z.string().max(64)

/** Filters of a list of threads; empty and invalid values are ignored. */
export const threadFilterSchema = z.object({
  agentId: optional(id),
  createdBy: optional(id),
  /** Verdict of the last answer. */
  verdict: z.enum(verdicts).optional().catch(undefined),
  /** Part of a question. */
  question: optional(z.string().trim().max(256)),
})
export type ThreadFilter = z.infer<typeof threadFilterSchema>

function optional(schema: z.ZodString) {
  return schema
    .transform((text) => text || undefined)
    .optional()
    .catch(undefined)
}
