import { z } from 'zod'
import { lengths } from './limits'
import { sourceOptionsSchema } from './source-options'
import { lineSchema, nameSchema } from './text'

/** The fields beside a file that is sent as a new source. Left empty, the file's name is the source's. */
export const fileSourceSchema = z
  .looseObject({
    name: lineSchema('Name', lengths.sourceName).optional().default(''),
    type: z.literal('file', 'A file is sent with the type file'),
  })
  .superRefine(refuseSiteOptions)
  .transform(({ name }) => ({ name }))

/** The fields beside a file that replaces the one of its source. A name that is left out stays. */
export const fileReplacementSchema = z
  .looseObject({ name: nameSchema(lengths.sourceName).optional() })
  .superRefine(refuseSiteOptions)
  .transform(({ name }) => ({ name }))

/** Messages by field name for options that mean nothing for a file; a file is read again when it is replaced. */
export function siteOptionProblems(fields: Record<string, unknown>): Record<string, string[]> {
  const given = Object.keys(sourceOptionsSchema.shape).filter((option) => isGiven(option, fields[option]))
  return Object.fromEntries(given.map((option) => [option, ['This is for sites: a file has no such option.']]))
}

function isGiven(option: string, value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false
  return !(option === 'refresh_interval' && value === 'never')
}

function refuseSiteOptions(fields: Record<string, unknown>, context: z.RefinementCtx): void {
  for (const [option, [message]] of Object.entries(siteOptionProblems(fields)))
    context.addIssue({ code: 'custom', message, path: [option] })
}
