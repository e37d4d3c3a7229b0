import { z } from 'zod'
import { organizationRoles } from '../enumerations'
import { id, text, textOrNull, time } from './fields'

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

export const invitationViewSchema = z.strictObject({
  id,
  email: text,
  role,
  /** Null if the key that encrypts it is lost. */
  link: textOrNull,
  created_by: id.nullable(),
  created_at: time,
  expires_at: time,
})
export type InvitationView = z.infer<typeof invitationViewSchema>
