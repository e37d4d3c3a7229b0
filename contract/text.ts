import { z } from 'zod'

const isOneLine = (text: string) => !/[\p{Cc}\u2028\u2029]/u.test(text)
/** Format characters, such as a zero-width space, are invisible on their own. */
const isVisible = (text: string) => text === '' || /[^\p{Cf}\p{Z}]/u.test(text)

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
