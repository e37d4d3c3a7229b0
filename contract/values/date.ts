import { z } from 'zod'

const day = z.iso.date()
const time = z.iso.datetime({ offset: true })
const dayMs = 24 * 3600 * 1000

/** A day or a time. A day means its first millisecond (`start`) or its last (`end`). */
export function dateSchema(name: string, bound: 'start' | 'end') {
  const message = `${name} is a day or a time, as in 2026-11-21 or 2026-11-21T08:00:00Z`
  return z
    .string(message)
    .refine((text) => day.safeParse(text).success || time.safeParse(text).success, { error: message, abort: true })
    .transform((text) => {
      const isDay = day.safeParse(text).success
      return new Date(Date.parse(text) + (isDay && bound === 'end' ? dayMs - 1 : 0))
    })
    .meta({ description: 'A day or a time, as in 2026-11-21 or 2026-11-21T08:00:00Z.' })
    .optional()
}
