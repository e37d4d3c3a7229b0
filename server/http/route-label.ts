/** Bounds what strangers can make us store: labels stay for as long as the process runs. */
const maxRoutes = 300
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** Addresses whose rest names a person, a page or a file. */
const family = /^\/(assets|fonts|help|icon|logo|picture|thread)\//
const unknown = 'other'

/** Names routes and methods for metrics, with a bounded number of names. */
export function createRouteLabels() {
  const known = new Set<string>()
  return {
    method: (method: string) => (methods.has(method) ? method : unknown),
    /** `route` is the path without ids; see `requestLog`. */
    route(route: string, status: number): string {
      // Strangers invent paths that do not exist.
      if (status === 404 || status === 405 || status === 421) return 'unmatched'
      const label = family.exec(route)?.[0] ?? route
      if (!known.has(label) && known.size >= maxRoutes) return unknown
      known.add(label)
      return label
    },
  }
}
