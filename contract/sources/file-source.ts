import { z } from 'zod'
import { lengths } from '../values/limits'
import { lineSchema, nameSchema } from '../values/text'
import { sourceOptionsSchema } from './source-options'

/** The fields sent with the file of a new source. An empty name defaults to the file's name. */
export const fileSourceSchema = z
  .looseObject({
    name: lineSchema('Name', lengths.sourceName).optional().default(''),
    type: z.literal('file', 'A file is sent with the type file'),
  })
  .superRefine(refuseSiteOptions)
  .transform(({ name }) => ({ name }))

/** The fields sent with a file that replaces the current one. An omitted name stays. */
export const fileReplacementSchema = z
  .looseObject({ name: nameSchema(lengths.sourceName).optional() })
  .superRefine(refuseSiteOptions)
  .transform(({ name }) => ({ name }))

/** Messages by field name for options that do not apply to files, which are read again only when replaced. */
export function siteOptionProblems(fields: Record<string, unknown>): Record<string, string[]> {
  const input = Object.keys(sourceOptionsSchema.shape).filter((option) => isGiven(option, fields[option]))
  return Object.fromEntries(input.map((option) => [option, ['This option applies to sites, not to files.']]))
}

function isGiven(option: string, value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false
  return !(option === 'refresh_interval' && value === 'never')
}

function refuseSiteOptions(fields: Record<string, unknown>, context: z.RefinementCtx): void {
  for (const [option, [message]] of Object.entries(siteOptionProblems(fields)))
    context.addIssue({ code: 'custom', message, path: [option] })
}
