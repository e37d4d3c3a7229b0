import { z } from 'zod'
import { isEmail, normalizeEmail } from '../values/email'
import { organizationRoles } from '../values/enumerations'

const role = z.enum(organizationRoles, 'Choose a role: admin, member or viewer')

export const memberEditSchema = z.object({ role })
export type MemberEdit = z.infer<typeof memberEditSchema>

export const invitationSchema = z.object({
  email: z
    .string('Enter an e-mail address')
    .trim()
    .refine(isEmail, 'Enter an e-mail address, such as ada@example.com')
    .transform(normalizeEmail)
    .meta({ format: 'email', maxLength: 254 }),
  role,
})
export type InvitationInput = z.infer<typeof invitationSchema>
