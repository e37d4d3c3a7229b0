import { getTableColumns, getTableName, isNull, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { addressBlocks, addresses, fragments, runOutcomes, siteBlocks } from '../../../db/schema/addresses'
import { agentLogos, agents } from '../../../db/schema/agents'
import { collections, runs, siteIcons, sources } from '../../../db/schema/collections'
import { files } from '../../../db/schema/files'
import { messages, threads } from '../../../db/schema/threads'

/** A table of which an archive has the rows of one organization. */
export interface TransferredTable {
  name: string
  table: PgTable
  columns: Record<string, PgColumn>
  /** The table whose rows these belong to, and the column with their ids; null for the organization itself. */
  parent: { name: string; column: string } | null
  /** Columns by which rows are read in order; unique among the rows of a parent. */
  order: string[]
  condition: SQL | undefined
  /** Columns with ids that an import replaces. */
  ids: string[]
  /** Columns that an archive leaves out: secrets, what the database assigns, and what concerns one installation. */
  omitted: string[]
}

type Options = Partial<Pick<TransferredTable, 'condition' | 'ids' | 'omitted'>> & { parent?: [PgTable, string] }

function transferred(table: PgTable, order: string[], { parent, condition, ids = [], omitted = [] }: Options) {
  return {
    name: getTableName(table),
    table,
    columns: getTableColumns(table) as Record<string, PgColumn>,
    parent: parent ? { name: getTableName(parent[0]), column: parent[1] } : null,
    order,
    condition,
    ids: parent ? [parent[1], ...ids] : ids,
    omitted: ['organizationId', ...omitted],
  } satisfies TransferredTable
}

/** A table comes after those that its ids refer to. */
export const transferredTables: readonly TransferredTable[] = [
  transferred(collections, ['createdAt', 'id'], {
    condition: isNull(collections.deletedAt),
    ids: ['id'],
    // The target embeds with its own model.
    omitted: ['createdBy', 'embeddingModel', 'vectorModel', 'vectorSlot'],
  }),
  transferred(siteIcons, ['host'], { parent: [collections, 'collectionId'] }),
  transferred(sources, ['createdAt', 'id'], {
    parent: [collections, 'collectionId'],
    condition: isNull(sources.deletedAt),
    ids: ['id'],
    omitted: ['createdBy', 'sealedHeaders', 'refreshDueAt'],
  }),
  transferred(files, ['id'], { parent: [sources, 'sourceId'], ids: ['id'] }),
  transferred(addresses, ['id'], {
    parent: [sources, 'sourceId'],
    ids: ['id', 'collectionId'],
    omitted: ['committedThroughKey'],
  }),
  transferred(addressBlocks, ['addressId'], { parent: [sources, 'sourceId'], ids: ['addressId'] }),
  transferred(siteBlocks, ['hash'], { parent: [sources, 'sourceId'], ids: ['addressId'] }),
  transferred(fragments, ['key'], {
    parent: [sources, 'sourceId'],
    ids: ['id', 'collectionId', 'addressId'],
    omitted: ['key', 'vectorModel', 'tokensPerWord'],
  }),
  transferred(runs, ['startedAt', 'id'], { parent: [sources, 'sourceId'], ids: ['id'] }),
  transferred(runOutcomes, ['outcome', 'reason'], { parent: [runs, 'runId'] }),
  transferred(agents, ['createdAt', 'id'], {
    ids: ['id', 'collectionId'],
    omitted: ['createdBy', 'providerKey', 'refusedKeyHash', 'failedAnswers', 'testFailure'],
  }),
  transferred(agentLogos, ['agentId'], { parent: [agents, 'agentId'] }),
  transferred(threads, ['createdAt', 'id'], {
    ids: ['id', 'agentId'],
    omitted: ['createdBy', 'providerThreadId', 'visitorTokenHash'],
  }),
  transferred(messages, ['createdAt', 'id'], { parent: [threads, 'threadId'], ids: ['id'], omitted: ['leasedUntil'] }),
]

export function transferredTable(name: string): TransferredTable {
  const found = transferredTables.find((table) => table.name === name)
  if (!found) throw new Error(`The table ${name} is not transferred.`)
  return found
}
