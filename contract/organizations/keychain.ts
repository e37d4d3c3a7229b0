import { z } from 'zod'
import { dailyMessages, keyRates } from '../values/limits'
import { wholeNumberSchema } from '../values/number'
import { dailyText, type ListResult, parseAllowedIps, parseAllowedOrigins } from './keychain-fields'

/** Which keys a change renews: both, one of them, or none. */
export const renewals = ['public', 'private'] as const

/** A comma-separated list. Returns it normalized, without duplicates; empty for no filter. */
function listSchema(what: string, parse: (list: string) => ListResult) {
  return z.string(`${what} is a comma-separated list`).transform((list, context) => {
    const result = parse(list)
    if ('list' in result) return result.list
    context.addIssue({ code: 'custom', message: result.problem })
    return z.NEVER
  })
}

export const allowedIpsSchema = listSchema('Allowed IPs', parseAllowedIps)
export const allowedOriginsSchema = listSchema('Allowed origins', parseAllowedOrigins)

export const rateLimitSchema = wholeNumberSchema('Rate limit', keyRates).describe(
  'Requests a minute, for each of the two keys.',
)

/** A number, or its text from a form; '' and null for no limit. */
export const dailyMessagesSchema = z
  .union([z.number(), z.string().trim().regex(/^\d*$/, dailyText), z.null()], dailyText)
  .transform((value) => (value === '' || value === null ? null : Number(value)))
  .pipe(z.number().int(dailyText).min(dailyMessages.min, dailyText).max(dailyMessages.max, dailyText).nullable())
  .meta({
    minimum: dailyMessages.min,
    maximum: dailyMessages.max,
    description: 'Answers a day (UTC) to callers with a key; null for no limit.',
  })

/** `PUT /v1/{orgId}/agents/{id}/key`. A field that is left out keeps its value. */
export const keychainSchema = z.object({
  regenerate: z
    .union([z.boolean(), z.enum(renewals)], 'regenerate is true, false, public or private')
    .default(false)
    .describe('`true` regenerates both keys.'),
  allowedIps: allowedIpsSchema.optional(),
  allowedOrigins: allowedOriginsSchema.optional(),
  rateLimit: rateLimitSchema.optional().describe('Requests a minute.'),
  dailyMessages: dailyMessagesSchema
    .optional()
    .describe('Answers a day (UTC) to callers with a key; null for no limit.'),
})
export type KeychainInput = z.infer<typeof keychainSchema>

/** The form of API Settings: all settings, as text. */
export const keychainFormSchema = z.object({
  allowedIps: allowedIpsSchema.default(''),
  allowedOrigins: allowedOriginsSchema.default(''),
  rateLimit: rateLimitSchema,
  dailyMessages: dailyMessagesSchema.default(null),
})

/** The form that renews keys: which, and the box that confirms it. */
export const renewalSchema = z.object({
  keys: z.enum(['both', ...renewals], 'Choose which keys to regenerate'),
  confirm: z.literal('on', 'Check the box to regenerate'),
})
