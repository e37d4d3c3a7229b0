import { z } from 'zod'

interface Range {
  min: number
  max: number
}

/** Says what a number must be. `label` begins the message. */
export function wholeNumberText(label: string, { min, max }: Range): string {
  return `${label} is a whole number from ${min} to ${max}`
}

/** A whole number in a range, or its text from a form. `label` begins the messages. */
export function wholeNumberSchema(label: string, range: Range) {
  const message = wholeNumberText(label, range)
  return z
    .union([z.number(), z.string().trim().regex(/^\d+$/, message).transform(Number)], message)
    .pipe(z.number().int(message).min(range.min, message).max(range.max, message))
    .meta({ minimum: range.min, maximum: range.max })
}
