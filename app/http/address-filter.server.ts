import { type AddressFilter, addressFilterSchema } from '../../contract/address'

/** What a page's address asks for; a value that makes no sense asks for nothing. */
export function addressFilterOf(search: URLSearchParams): AddressFilter {
  const asked: Record<string, string> = {
    filter: (search.get('filter') ?? '').trim(),
    status: search.get('status') ?? '',
    reason: search.get('reason') ?? '',
    sourceId: search.get('source') ?? '',
  }
  const parsed = addressFilterSchema.safeParse(asked)
  if (parsed.success) return parsed.data
  for (const { path } of parsed.error.issues) asked[String(path[0])] = ''
  return addressFilterSchema.parse(asked)
}
