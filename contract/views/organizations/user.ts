import { z } from 'zod'
import { organizationRoles } from '../../values/enumerations'
import { id, text, textOrNull, time } from '../fields'

/** `GET /v1/auth/me`, field `user`. */
export const currentUserViewSchema = z.strictObject({
  id,
  email: text,
  name: textOrNull,
  surname: textOrNull,
  picture: textOrNull.describe(
    'A path on this site, which serves the picture to the person and to platform administrators.',
  ),
  auth0_id: text,
  type: z.number().int().min(0).max(1).describe('1 is a platform administrator.'),
  org_connections: z.array(
    z.strictObject({
      organization_id: id,
      role: z.enum(organizationRoles),
      organization: z.strictObject({ name: text }),
      created_at: time.describe('When the person became a member.'),
    }),
  ),
  created_at: time,
})
export type CurrentUserView = z.infer<typeof currentUserViewSchema>
