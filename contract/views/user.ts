import { z } from 'zod'
import { organizationRoles } from '../enumerations'
import { id, text, textOrNull, time } from './fields'

/** `GET /v1/auth/me`, field `user`. */
export const currentUserViewSchema = z.strictObject({
  id,
  email: text,
  name: textOrNull,
  surname: textOrNull,
  picture: textOrNull,
  auth0_id: text,
  /** 1 is a platform administrator. */
  type: z.number().int().min(0).max(1),
  org_connections: z.array(
    z.strictObject({
      organization_id: id,
      role: z.enum(organizationRoles),
      organization: z.strictObject({ name: text }),
    }),
  ),
  created_at: time,
})
export type CurrentUserView = z.infer<typeof currentUserViewSchema>
