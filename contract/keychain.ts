import { z } from 'zod'
import { keyRates } from './limits'
import { parseUrl } from './url'

/** Which keys a change renews: both, one of them, or none. */
export const renewals = ['public', 'private'] as const

const maxEntries = 100
const maxListLength = 8_000

/** A comma-separated list. Returns it normalized, without duplicates; empty for no filter. */
function listSchema(what: string, normalize: (entry: string) => string | null, problem: (entry: string) => string) {
  return z
    .string(`${what} is a comma-separated list`)
    .max(maxListLength, `${what} can have at most ${maxListLength} characters`)
    .transform((list, context) => {
      const entries = list
        .split(',')
        .map((entry) => entry.trim())
        .filter(Boolean)
      if (entries.length > maxEntries) {
        context.addIssue({ code: 'custom', message: `${what} can have at most ${maxEntries} entries` })
        return z.NEVER
      }
      const normalized = new Set<string>()
      for (const entry of entries) {
        const known = normalize(entry)
        if (known === null) {
          context.addIssue({ code: 'custom', message: problem(entry) })
          return z.NEVER
        }
        normalized.add(known)
      }
      return [...normalized].join(', ')
    })
}

const network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

/** Returns an address or a network in CIDR notation, of IPv4 or IPv6; null for anything else. */
export function normalizeNetwork(entry: string): string | null {
  const lower = entry.toLowerCase()
  // A caller is compared in the IPv4 form.
  if (lower.startsWith('::ffff:')) return null
  return network.safeParse(lower).success ? lower : null
}

/** Returns an origin as browsers send it, such as https://shop.example; null for anything else. */
export function normalizeOrigin(entry: string): string | null {
  if (!/^https?:\/\/[^\s/?#@\\]+\/?$/i.test(entry)) return null
  const url = parseUrl(entry)
  return url === null || url.hostname.includes('*') ? null : url.origin
}

export const allowedIpsSchema = listSchema(
  'Allowed IPs',
  normalizeNetwork,
  (entry) => `${entry} is not an IP address or network. Write one such as 203.0.113.7 or 203.0.113.0/24`,
)

export const allowedOriginsSchema = listSchema(
  'Allowed origins',
  normalizeOrigin,
  (entry) => `${entry} is not an origin. Write scheme and host without a path, such as https://www.example.com`,
)

const { min, max } = keyRates
const rateText = `Rate limit is a whole number from ${min} to ${max}`

/** A number, or its text from a form. */
export const rateLimitSchema = z
  .union([z.number(), z.string().trim().regex(/^\d+$/).transform(Number)], rateText)
  .pipe(z.number().int(rateText).min(min, rateText).max(max, rateText))

/** `PUT /v1/{orgId}/agents/{id}/key`. A field that is left out keeps its value. */
export const keychainSchema = z.object({
  /** `true` renews both keys. */
  regenerate: z.union([z.boolean(), z.enum(renewals)], 'regenerate is true, false, public or private').default(false),
  allowedIps: allowedIpsSchema.optional(),
  allowedOrigins: allowedOriginsSchema.optional(),
  /** Requests a minute. */
  rateLimit: rateLimitSchema.optional(),
})
export type KeychainInput = z.infer<typeof keychainSchema>
