/** The query with changed parameters; null removes one. Begins with '?' even if empty, so that it is a valid link. */
export function withQuery(search: URLSearchParams, changes: Record<string, string | null>): string {
  const next = new URLSearchParams(search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.delete(name)
    else next.set(name, value)
  }
  return `?${next}`
}

/** The query without the open dialog, and without what its list was searched for. */
export function withoutDialog(search: URLSearchParams): string {
  return withQuery(search, { dialog: null, id: null, find: null, focus: null })
}
