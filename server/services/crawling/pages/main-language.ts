import { and, eq, isNotNull } from 'drizzle-orm'
import type { Queries } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import { type FetchedVersion, startLanguage } from '../../../engine/crawl/urls/main-language'
import { primaryLanguage } from '../../../engine/crawl/urls/url-language'
import type { SourceRow } from '../../source-rows/source-settings'

const sampledAddresses = 500

/**
 * The main language of a source's site (ISO 639-1): of the page that it starts with; if that is unknown, of the text that
 * several of its pages share, or of most of its pages. '' if none is known.
 */
export async function findMainLanguage(
  queries: Queries,
  source: SourceRow,
  textLanguage: () => string,
): Promise<string> {
  const started = await startLanguage(source, (url) => findVersion(queries, source.id, url))
  return started || textLanguage() || (await commonLanguage(queries, source.id))
}

async function findVersion(queries: Queries, sourceId: string, url: string): Promise<FetchedVersion | null> {
  const { language, reason, canonicalUrl } = addresses
  const [row] = await queries
    .select({ language, reason, canonicalUrl })
    .from(addresses)
    .where(and(eq(addresses.sourceId, sourceId), eq(addresses.url, url)))
  if (!row) return null
  const isMoved = row.reason === 'redirected' || row.reason === 'canonical'
  return { url, language: row.language, movedTo: isMoved ? row.canonicalUrl : null }
}

async function commonLanguage(queries: Queries, sourceId: string): Promise<string> {
  const rows = await queries
    .select({ url: addresses.url, language: addresses.language })
    .from(addresses)
    .where(and(eq(addresses.sourceId, sourceId), isNotNull(addresses.language)))
    .orderBy(addresses.id)
    .limit(sampledAddresses)
  const counts = new Map<string, number>()
  for (const row of rows) {
    const language = primaryLanguage(row)
    if (language !== '') counts.set(language, (counts.get(language) ?? 0) + 1)
  }
  const [[language] = ['']] = [...counts].sort(([, number], [, otherNumber]) => otherNumber - number)
  return language
}
