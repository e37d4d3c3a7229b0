import { z } from 'zod'
import { lengths } from '../values/limits'
import { lineSchema, nameSchema } from '../values/text'
import { parseUrl } from '../values/url'
import { type SourceOptions, sourceOptionsSchema } from './source-options'

const invalidUrl = 'Invalid url provided, you need to input a full address.'
const invalidDomain = 'Give the domain of the site, as in example.com.'

export const fullAddress = z
  .string(invalidUrl)
  .trim()
  .max(lengths.address, `An address can have at most ${lengths.address} characters`)
  .refine(isFullAddress, invalidUrl)

const name = lineSchema('Name', lengths.sourceName).optional().default('')

/** Types that are read from a site; the type file has its own schema. */
export const crawledSourceTypes = ['url', 'sitemap', 'domain'] as const

/** A sent status is ignored, because a new source is always processing. */
export const sourceSchema = z
  .object({
    name,
    type: z.enum(crawledSourceTypes, {
      error: ({ input }) =>
        input === 'file'
          ? 'A file is sent as multipart/form-data, in the field file'
          : 'Choose what to add: url, sitemap, domain or file',
    }),
    url: z.string(invalidUrl).trim(),
    ...sourceOptionsSchema.shape,
  })
  // A domain may be a bare name; `withScheme` completes it.
  .transform((input) => ({ ...input, url: input.type === 'domain' ? withScheme(input.url) : input.url }))
  .superRefine(({ url, type }, context) => {
    for (const { message } of fullAddress.safeParse(url).error?.issues ?? []) {
      // A bare name starts with https by now, so another protocol was in the input.
      const isBare = type === 'domain' && /^https?:/i.test(url)
      const text = isBare && message === invalidUrl ? invalidDomain : message
      context.addIssue({ code: 'custom', message: text, path: ['url'] })
    }
  })
export type SourceInput = SourceOptions & { name: string; type: (typeof crawledSourceTypes)[number]; url: string }

/** The contract's {name}, and the options; omitted ones stay. */
export const sourceEditSchema = z.object({
  name: nameSchema(lengths.sourceName).optional(),
  ...sourceOptionsSchema.shape,
})
export type SourceEdit = z.infer<typeof sourceEditSchema>

export const refreshSchema = z.object({
  crawl: z.boolean('crawl is true or false').optional().default(true),
  auto: z.boolean('auto is true or false').optional().default(false),
})

/** Prepends https://, or http:// for localhost, IP addresses and hosts with a port other than 443. */
export function withScheme(url: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return url
  const isOwn = /^(localhost|[\d.]+|\[[\da-f:]+\]|[^/:]+:(?!443(\/|$))\d+)(:\d+)?(\/|$)/i.test(url)
  return `${isOwn ? 'http' : 'https'}://${url}`
}

function isFullAddress(text: string): boolean {
  if (!/^https?:\/\/./i.test(text) || parseUrl(text) === null) return false
  const url = new URL(text)
  return url.username === '' && url.password === ''
}
