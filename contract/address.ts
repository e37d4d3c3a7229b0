import { z } from 'zod'
import { reasonCodes } from './reasons'
import { addressStatuses } from './values/enumerations'

const empty = z.literal('').transform(() => undefined)

/** Filters of a list of addresses; empty values are ignored. */
export const addressFilterSchema = z.object({
  filter: z.string().max(2_048, 'The filter is too long').optional().describe('Part of an address or a title.'),
  status: z.union([empty, z.enum(addressStatuses)], `Choose one of ${addressStatuses.join(', ')}`).optional(),
  reason: z.union([empty, z.enum(reasonCodes)], 'There is no such reason').optional(),
  sourceId: z.string().max(64, 'There is no such source').optional(),
})
export type AddressFilter = z.infer<typeof addressFilterSchema>
