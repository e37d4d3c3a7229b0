import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import type { Queries } from '../../../db/database'
import { sources } from '../../../db/schema/collections'
import { files } from '../../../db/schema/files'

/** Bytes of the organization's files, waiting replacements included, without those of the source `replaced`. */
export async function storageOf(
  queries: Queries,
  organizationId: string,
  replaced: string | null = null,
): Promise<number> {
  const others = replaced === null ? undefined : ne(files.sourceId, replaced)
  const [row] = await queries
    .select({ bytes: sql<number | string>`coalesce(sum(${files.bytes}), 0)` })
    .from(files)
    .innerJoin(sources, eq(sources.id, files.sourceId))
    .where(and(eq(files.organizationId, organizationId), isNull(sources.deletedAt), others))
  return Number(row?.bytes ?? 0)
}
