import { z } from 'zod'
import { lengths } from '../values/limits'

/** By what a visitor is found: one of the ids that the website sent, or one of the visitor's threads. */
export const visitorKeys = ['user', 'email', 'session', 'thread'] as const
export type VisitorKey = (typeof visitorKeys)[number]

const text = 'Enter what identifies the visitor'

/** `POST /v1/{orgId}/visitors/erase`. */
export const visitorErasureSchema = z.object({
  by: z
    .enum(visitorKeys, `by is one of ${visitorKeys.join(', ')}`)
    .describe(
      "What `value` is: the visitor's id, e-mail address or session, as the website sends them, or the id of one of the visitor's threads.",
    ),
  value: z
    .string(text)
    .trim()
    .min(1, text)
    .max(lengths.externalEmail, `value can have at most ${lengths.externalEmail} characters`),
})
