import { z } from 'zod'

/** The form in which addresses are compared and kept unique. */
export function normalizeEmail(email: string): string {
  return email.normalize('NFC').trim().toLowerCase()
}

/** As browsers check it (HTML's type=email), and no longer than mail allows (RFC 5321, 4.5.3.1.3). */
export function isEmail(text: string): boolean {
  return text.length <= 254 && z.email({ pattern: z.regexes.unicodeEmail }).safeParse(text).success
}
