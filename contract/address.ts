import { z } from 'zod'
import { addressStatuses } from './enumerations'
import { reasonCodes } from './reasons'
import type { FragmentView } from './views/fragment'

const empty = z.literal('').transform(() => undefined)

/** What a list of addresses is asked for; an empty value asks for nothing. */
export const addressFilterSchema = z.object({
  /** Part of an address or a title. */
  filter: z.string().max(2_048, 'The filter is too long').optional(),
  status: z.union([empty, z.enum(addressStatuses)], `Choose one of ${addressStatuses.join(', ')}`).optional(),
  reason: z.union([empty, z.enum(reasonCodes)], 'There is no such reason').optional(),
  sourceId: z.string().max(64, 'There is no such source').optional(),
})
export type AddressFilter = z.infer<typeof addressFilterSchema>

/** A fragment as it was made of its address. */
export interface AddressFragment extends Omit<FragmentView, 'score' | 'address_id' | 'collection_id'> {
  /** Its place among the fragments of the address, from 1. */
  number: number
  /** Word pieces, with title and headings. */
  tokens: number
  /** BCP 47, lower case; null where nothing says. */
  language: string | null
  /** Whether it can be found by meaning. */
  embedded: boolean
}
