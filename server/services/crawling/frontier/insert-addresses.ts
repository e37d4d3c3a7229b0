import type { DiscoveredAddress } from '../../runs/run-context'

/** Gives rows of one insert ascending ids, which keep their order of discovery. */
export function withOrderedIds<Row>(rows: Row[]): (Row & { id?: string })[] {
  const ids = rows.map(() => crypto.randomUUID()).sort()
  return rows.map((row, index) => ({ ...row, id: ids[index] }))
}

/** Each URL once, by its shortest path, in the order of discovery. */
export function shortestPaths(discovered: DiscoveredAddress[]): DiscoveredAddress[] {
  const shortest = new Map<string, DiscoveredAddress>()
  for (const address of discovered) {
    const depth = shortest.get(address.url)?.depth ?? Number.POSITIVE_INFINITY
    if (address.depth < depth) shortest.set(address.url, address)
  }
  return [...shortest.values()]
}
