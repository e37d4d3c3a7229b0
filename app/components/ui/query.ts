/** The address's query with some values set, or taken out by null. Always begins with '?', so that a link may be just this. */
export function withQuery(search: URLSearchParams, changes: Record<string, string | null>): string {
  const next = new URLSearchParams(search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.delete(name)
    else next.set(name, value)
  }
  return `?${next}`
}

/** Takes an opened dialog out of the address. */
export function withoutDialog(search: URLSearchParams): string {
  return withQuery(search, { dialog: null, id: null })
}
