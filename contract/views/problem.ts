import { z } from 'zod'
import { text } from './fields'

/** A problem detail (RFC 9457), with the contract's message. */
export const problemSchema = z.strictObject({
  type: z.string().regex(/^urn:sitelore:problem:[a-z_]+$/),
  title: text.min(1),
  status: z.number().int().min(400).max(599),
  detail: text.min(1),
  instance: z.string().regex(/^urn:uuid:[0-9a-f-]{36}$/),
  code: text.min(1),
  message: text.min(1),
  threadId: text.optional().describe('If the answer of a chat failed: its thread.'),
  visitorToken: text.optional().describe('If an answer failed in a thread that a key started: its visitor token.'),
  errors: z
    .record(z.string(), z.array(text.min(1)).min(1))
    .optional()
    .describe('If the input is invalid: messages by field.'),
})
