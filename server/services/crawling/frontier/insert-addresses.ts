import type { DiscoveredAddress } from '../runs/run-context'

/** Rows that are stored at one time are told apart by their ids: so they are read in the order in which they were found. */
export function inOrder<Row>(rows: Row[]): (Row & { id?: string })[] {
  const ids = rows.map(() => crypto.randomUUID()).sort()
  return rows.map((row, at) => ({ ...row, id: ids[at] }))
}

/** Each address once, in the order in which they were found. */
export function nearestOfEach(found: DiscoveredAddress[]): DiscoveredAddress[] {
  const nearest = new Map<string, DiscoveredAddress>()
  for (const address of found) {
    if (address.depth < (nearest.get(address.url)?.depth ?? Number.POSITIVE_INFINITY)) nearest.set(address.url, address)
  }
  return [...nearest.values()]
}
