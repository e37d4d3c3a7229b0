import { z } from 'zod'
import { verdicts } from '../values/enumerations'

const text = z.string().trim().max(256)
const optional = (schema: z.ZodType<string>) => z.union([z.literal('').transform(() => undefined), schema]).optional()

/** Filters of a list of threads; empty and invalid values are ignored. */
export const threadFilterSchema = z.object({
  agentId: optional(z.string().max(64)).catch(undefined),
  createdBy: optional(z.string().max(64)).catch(undefined),
  /** Of the last answer. */
  verdict: z.enum(verdicts).optional().catch(undefined),
  /** Part of a question. */
  question: optional(text).catch(undefined),
})
export type ThreadFilter = z.infer<typeof threadFilterSchema>
