import { z } from 'zod'

const isOneLine = (text: string) => !/[\p{Cc}\u2028\u2029]/u.test(text)
/**
 * Whether a text shows something: not only combining marks, zero-width spaces, fillers of Hangul, the empty Braille
 * pattern.
 */
const isVisible = (text: string) =>
  text === '' || /[^\p{Z}\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text)

/** Text on one line: trimmed, without control characters, at most `max` characters. `label` begins the messages. */
export function lineSchema(label: string, max: number, missing = `${label} is text`) {
  return z
    .string(missing)
    .trim()
    .max(max, `${label} can have at most ${max} characters`)
    .refine(isOneLine, `${label} cannot contain line breaks or other control characters`)
    .refine(isVisible, `${label} needs at least one visible character`)
}

/** A required name. */
export function nameSchema(max: number) {
  return lineSchema('Name', max, 'Name is required').min(1, 'Name is required')
}
