import { and, eq, isNull } from 'drizzle-orm'
import { sourceTypeLabels } from '../../../contract/values/enumerations'
import type { Queries } from '../../../db/database'
import { sources } from '../../../db/schema/collections'
import { files } from '../../../db/schema/files'
import { normalizeAddress, siteOf } from '../../engine/crawl/urls/urls'
import { AppError } from '../../errors'
import type { SourceRow } from '../source-rows/source-settings'

/** Throws conflict, with the name of the source, if the collection has one of this type and URL. */
export async function assertUniqueSource(
  queries: Queries,
  collectionId: string,
  { type, url }: Pick<SourceRow, 'type'> & { url: string },
): Promise<void> {
  const alike = and(eq(sources.collectionId, collectionId), eq(sources.type, type), isNull(sources.deletedAt))
  const rows = await queries.select({ name: sources.name, url: sources.url }).from(sources).where(alike)
  const identity = identityOf(type, url)
  const same = rows.find((row) => row.url !== null && identityOf(type, row.url) === identity)
  if (!same) return
  const message = `This collection already has this ${sourceTypeLabels[type]}, as "${same.name}". Refresh or edit that one.`
  throw new AppError('conflict', message, { details: { title: 'Failed to add source', fields: { url: [message] } } })
}

/** Throws conflict, with the name of the source, if another one of the collection has a file with this hash. */
export async function assertUniqueFile(
  queries: Queries,
  collectionId: string,
  sha256: string,
  own: string | null = null,
): Promise<void> {
  const condition = and(eq(sources.collectionId, collectionId), isNull(sources.deletedAt), eq(files.sha256, sha256))
  const rows = await queries
    .select({ id: sources.id, name: sources.name })
    .from(sources)
    .innerJoin(files, eq(files.sourceId, sources.id))
    .where(condition)
  const same = rows.find(({ id }) => id !== own)
  if (!same) return
  const message = `This collection already has this file, as "${same.name}".`
  const title = own === null ? 'Failed to add source' : 'Failed to replace the file'
  throw new AppError('conflict', message, { details: { title, fields: { file: [message] } } })
}

/** Equal for sources of one type that index the same: the site of a domain, else the normalized URL. */
function identityOf(type: SourceRow['type'], url: string): string {
  return type === 'domain' ? siteOf(url) : (normalizeAddress(url) ?? url)
}
