import { type AddressFilter, addressFilterSchema } from '../../../contract/address'

/** Reads the filter from the query of a page. Invalid values are ignored. */
export function addressFilterOf(search: URLSearchParams): AddressFilter {
  const input: Record<string, string> = {
    filter: (search.get('filter') ?? '').trim(),
    status: search.get('status') ?? '',
    reason: search.get('reason') ?? '',
    sourceId: search.get('source') ?? '',
  }
  const parsed = addressFilterSchema.safeParse(input)
  if (parsed.success) return parsed.data
  for (const { path } of parsed.error.issues) input[String(path[0])] = ''
  return addressFilterSchema.parse(input)
}
