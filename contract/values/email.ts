import { z } from 'zod'

/** Normalizes an e-mail address for comparison. */
export function normalizeEmail(email: string): string {
  return email.normalize('NFC').trim().toLowerCase()
}

/** Valid for HTML's type=email, and within the length of RFC 5321, 4.5.3.1.3. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && z.email({ pattern: z.regexes.unicodeEmail }).safeParse(text).success
}
