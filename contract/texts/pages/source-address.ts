import type { SourceView } from '../../views/source'

type Addressed = Pick<SourceView, 'url' | 'start_path' | 'file_name'>

/**
 * Returns the address of a source, and where a domain starts if not at its front page; for a file its name. `shorten`
 * abbreviates the address.
 */
export function sourceAddress({ url, start_path, file_name }: Addressed, shorten = (url: string) => url): string {
  if (url === null) return file_name ?? ''
  return start_path === null ? shorten(url) : `${shorten(url)} (starts at ${start_path})`
}
