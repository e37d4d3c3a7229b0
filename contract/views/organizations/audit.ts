import { z } from 'zod'
import { auditActionNames, auditActorKinds } from '../../values/audit'
import { id, text, textOrNull, time } from '../fields'

/** A field that was changed. Values are given for roles and plans only, so that the log holds no secret. */
const auditChangeSchema = z.strictObject({ field: text, from: text.optional(), to: text.optional() })
export type AuditChange = z.infer<typeof auditChangeSchema>

export const auditEventViewSchema = z.strictObject({
  id,
  action: z.enum(auditActionNames),
  actor: z
    .strictObject({ kind: z.enum(auditActorKinds), user_id: id.nullable(), email: textOrNull })
    .describe("The person's e-mail address at that time; null for other actors."),
  subject: z
    .strictObject({ id, name: text })
    .describe('The name at that time; empty for threads, whose titles are questions.'),
  changes: z.array(auditChangeSchema),
  created_at: time,
})
export type AuditEventView = z.infer<typeof auditEventViewSchema>
