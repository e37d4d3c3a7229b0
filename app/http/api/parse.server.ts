import type { z } from 'zod'
import { AppError } from '../../../server/errors'

/** Validates `input`. Throws invalid_input with the messages by field, titled `title`. */
export function parse<Value>(schema: z.ZodType<Value>, input: unknown, title?: string): Value {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const fields: Record<string, string[]> = {}
  for (const { path, message } of parsed.error.issues) {
    const name = path.join('.') || 'body'
    fields[name] = [...new Set([...(fields[name] ?? []), message])]
  }
  const [first] = parsed.error.issues
  throw new AppError('invalid_input', first?.message ?? 'The request is not valid.', {
    details: { fields, ...(title ? { title } : {}) },
  })
}
