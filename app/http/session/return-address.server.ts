import { parseUrl } from '../../../contract/values/url'
import { withoutDialog } from '../../components/ui/browser/query'
import { paths } from '../../paths'

const maxLength = 4_096

/** Base to resolve paths against. Nothing is sent to it. */
const anyOrigin = 'http://return.invalid'

/**
 * Checks an address before a redirect to it. Accepts paths of this site with query and fragment, normalized as a browser
 * does; returns `fallback` for anything else.
 */
export function returnAddress(candidate: unknown, fallback: string): string {
  if (typeof candidate !== 'string' || candidate.length > maxLength) return fallback
  // Browsers drop tabs and line breaks and read a backslash as a slash: `/\t/host` leads to another site.
  if (!candidate.startsWith('/') || /[\p{Cc}\p{Z}\\]/u.test(candidate)) return fallback
  const url = parseUrl(candidate, anyOrigin)
  return (url && plainPath(url)) ?? fallback
}

/** The page that sent a form, without the dialog that is open on it. */
export function currentPage(url: URL): string {
  return returnAddress(url.pathname + withoutDialog(url.searchParams), paths.dashboard())
}

/** A proxy may decode a path before it forwards it, so the decoded form must be harmless as well. */
function plainPath({ origin, pathname, search, hash }: URL): string | null {
  try {
    const isPlain = origin === anyOrigin && !/\/\/|[\p{Cc}\\]/u.test(decodeURIComponent(pathname))
    return isPlain ? pathname + search + hash : null
  } catch {
    return null
  }
}
