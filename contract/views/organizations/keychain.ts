import { z } from 'zod'
import { dailyMessages, keyRates } from '../../values/limits'
import { count, text, time } from '../fields'

/** The keys of an agent, and what they may be used from. */
export const keychainViewSchema = z.strictObject({
  public_key: text,
  private_key: text,
  allowed_ips: text.describe('Addresses and networks, comma-separated; empty for any.'),
  allowed_origins: text.describe('Comma-separated; empty for any.'),
  rate_limit: z
    .number()
    .int()
    .min(keyRates.min)
    .max(keyRates.max)
    .describe('Requests a minute, for each of the two keys.'),
  daily_messages: z
    .number()
    .int()
    .min(dailyMessages.min)
    .max(dailyMessages.max)
    .nullable()
    .describe('Answers a day to callers with a key; null for no limit.'),
  refused_origins: z
    .array(z.strictObject({ origin: text, count, last_at: time }))
    .describe('Origins that the public key has refused, the latest first.'),
})
export type KeychainView = z.infer<typeof keychainViewSchema>
