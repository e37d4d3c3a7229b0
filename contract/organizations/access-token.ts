import { z } from 'zod'
import { organizationRoles } from '../values/enumerations'
import { accessTokenLimits } from '../values/limits'
import { nameSchema } from '../values/text'

const days = `Expiry is a whole number of days from 1 to ${accessTokenLimits.maxDays}`

export const accessTokenSchema = z.object({
  name: nameSchema(accessTokenLimits.nameLength),
  /** The highest role of the token; the person's own in each organization if empty. */
  role: z
    .enum(['', ...organizationRoles], 'Choose a role: admin, member or viewer')
    .default('')
    .transform((role) => role || null),
  /** The only organization that the token reaches; all of the person's if empty. */
  organization_id: z
    .string()
    .default('')
    .transform((id) => id || null),
  /** Days until the token expires. */
  days: z.coerce.number(days).int(days).min(1, days).max(accessTokenLimits.maxDays, days),
})
export type AccessTokenInput = z.infer<typeof accessTokenSchema>
