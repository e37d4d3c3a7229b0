import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import type { Queries } from '../../../db/database'
import { sources } from '../../../db/schema/collections'
import { files } from '../../../db/schema/files'
import { AppError } from '../../errors'

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

/** Throws quota_exceeded if `bytes` exceed the plan's limit. A limit of 0 means unlimited. */
export function assertStorage(limit: number, bytes: number): void {
  if (limit === 0 || bytes <= limit) return
  const megabytes = Math.floor(limit / 1024 / 1024)
  throw new AppError(
    'quota_exceeded',
    `Your plan allows ${megabytes} MB of files. Delete a file, or ask for a larger plan.`,
  )
}
