import { z } from 'zod'
import { keyRates } from '../limits'
import { text } from './fields'

/** The keys of an agent, and what they may be used from. */
export const keychainViewSchema = z.strictObject({
  public_key: text,
  private_key: text,
  /** Addresses and networks, comma-separated; empty for any. */
  allowed_ips: text,
  /** Comma-separated; empty for any. */
  allowed_origins: text,
  /** Requests a minute, of each key. */
  rate_limit: z.number().int().min(keyRates.min).max(keyRates.max),
})
export type KeychainView = z.infer<typeof keychainViewSchema>
