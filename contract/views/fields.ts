import { z } from 'zod'
import { reasonCodes } from '../reasons'

// Field types that responses of several nouns share. Objects are strict, so that a leaked field fails a test,
// as a missing field does.

export const id = z.string().min(1)
/** An ISO 8601 time in UTC. */
export const time = z.iso.datetime()
export const count = z.number().int().min(0)
export const text = z.string()
export const textOrNull = text.nullable()
/** A code of `contract/reasons.ts`. */
export const reason = text.refine((code) => (reasonCodes as readonly string[]).includes(code), 'Unknown reason code')
/** The last four characters of a key behind four dots; the complete key is never returned. */
export const keyHint = z.string().regex(/^••••.{0,4}$/)

/** A thing that another one refers to by id. */
export const named = z.strictObject({ name: text })

/** One page of a list. */
export const paged = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({ docs: z.array(item), total: count, pages: count })
