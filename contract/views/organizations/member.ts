import { z } from 'zod'
import { mailStatuses, organizationRoles } from '../../values/enumerations'
import { id, text, textOrNull, time } from '../fields'

const role = z.enum(organizationRoles)

export const memberViewSchema = z.strictObject({
  user_id: id,
  email: text,
  name: textOrNull,
  surname: textOrNull,
  role,
  created_at: time,
})
export type MemberView = z.infer<typeof memberViewSchema>

/** Whom members ask for what only administrators may do. */
export type AdministratorView = Pick<MemberView, 'email' | 'name' | 'surname'>

export const invitationViewSchema = z.strictObject({
  id,
  email: text,
  role,
  link: textOrNull.describe('Null if the key that encrypts it was lost.'),
  mail_status: z
    .enum(mailStatuses)
    .nullable()
    .describe('The state of the e-mail with the link; null without a mail server.'),
  created_by: id.nullable(),
  created_at: time,
  expires_at: time,
})
export type InvitationView = z.infer<typeof invitationViewSchema>
