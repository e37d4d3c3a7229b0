import { and, eq, isNull, sql } from 'drizzle-orm'
import type { MachineState } from '../../../contract/views/health'
import type { Database, Queries } from '../../../db/database'
import { fragments, textIndexBacklog } from '../../../db/schema/addresses'
import { collections, sources } from '../../../db/schema/collections'
import type { Readings } from '../../engine/ports/telemetry'
import { jobsByKind } from '../jobs/job-overview'

interface Deps {
  db: Database
  storage(): Promise<Pick<MachineState, 'disk' | 'database' | 'last_backup'>>
}

/** What /metrics reads of the whole installation. */
export function createReadings({ db: { read }, storage }: Deps) {
  return async (): Promise<Readings> => {
    const { disk, database, last_backup: lastBackup } = await storage()
    return {
      jobs: await jobsByKind(read),
      backlog: await indexBacklog(read),
      failingSources: await read.$count(sources, and(eq(sources.status, 'fail'), isNull(sources.deletedAt))),
      disk,
      database,
      lastBackup,
    }
  }
}

/** Fragments that an index does not have yet. */
export async function indexBacklog(read: Queries): Promise<Readings['backlog']> {
  // Collection by collection, so that the index leads to the fragments without a vector.
  const ofCollection = sql`(select count(*) from ${fragments} where ${fragments.collectionId} = ${collections.id} and ${fragments.vectorModel} is null)`
  const [row] = await read.select({ count: sql`sum(${ofCollection})`.mapWith(Number) }).from(collections)
  return { without_vector: row?.count ?? 0, not_in_text_index: await read.$count(textIndexBacklog) }
}
