import { z } from 'zod'
import { sourceSchema } from './source'

/** The address of the welcome card: a domain, with or without https://. */
export const firstSiteSchema = z
  .object({ url: z.string('Enter the address of your site.').trim().min(1, 'Enter the address of your site.') })
  .transform(({ url }) => ({ type: 'domain', url }))
  .pipe(sourceSchema)
