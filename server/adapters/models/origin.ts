import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** Where a model comes from. */
export type Origin = { kind: 'pulled'; repository: string; commit: string } | { kind: 'added' }

/** File in the folder of a model that was pulled or added. */
export const originFile = 'origin.json'

const originSchema = z.object({
  kind: z.enum(['pulled', 'added']),
  repository: z.string().optional(),
  commit: z.string().optional(),
  sha256: z.record(z.string(), z.string()),
})

/** Null for a folder without the file, or with another one of this name. */
export function readOrigin(folder: string): z.infer<typeof originSchema> | null {
  try {
    return originSchema.parse(JSON.parse(readFileSync(join(folder, originFile), 'utf8')))
  } catch {
    return null
  }
}
