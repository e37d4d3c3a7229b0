import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'

/** Reads a JSON file in a model's folder; null if it does not exist. Throws an error of one sentence if it is damaged. */
export function readJson<Value>(folder: string, file: string, schema: z.ZodType<Value>): Value | null {
  const path = join(folder, file)
  if (!existsSync(path)) return null
  const parsed = schema.safeParse(jsonOf(readFileSync(path, 'utf8'), `${file} in ${folder}`))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Error(`${file} in ${folder} is invalid: ${[...(issue?.path ?? []), issue?.message].join(' ')}.`)
}

function jsonOf(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`${name} is not valid JSON.`)
  }
}
