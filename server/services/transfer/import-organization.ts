import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { eq, getTableColumns, inArray } from 'drizzle-orm'
import { z } from 'zod'
import { unlimitedPlan } from '../../../contract/organizations/plan'
import { normalizeEmail } from '../../../contract/values/email'
import type { Database, Transaction } from '../../../db/database'
import { fragments } from '../../../db/schema/addresses'
import { collections, sources } from '../../../db/schema/collections'
import { members, organizations } from '../../../db/schema/organizations'
import { settings } from '../../../db/schema/settings'
import { threadIdOf } from '../../../db/schema/threads'
import { users } from '../../../db/schema/users'
import type { Actor } from '../../actor'
import type { FileStore } from '../../engine/ports/file-store'
import { AppError } from '../../errors'
import { assertStaff } from '../../policy'
import { recordEvent } from '../audit/record-event'
import { exists, inStaging } from '../backup/backup-parts'
import { type Indexes, indexedText } from '../fragments/fragments'
import { enqueueEmbedding } from '../indexing/enqueue-embedding'
import { nextRefresh } from '../source-rows/source-settings'
import {
  filesFolderName,
  type OrganizationManifest,
  organizationFileName,
  rowsPath,
  unpackOrganization,
  unusable,
} from './organization-archive'
import { fromJson } from './row-json'
import { type TransferredTable, transferredTable, transferredTables } from './transferred-tables'

type Row = Record<string, unknown>

interface Deps {
  db: Database
  indexes: Pick<Indexes, 'text'>
  fileStore: Pick<FileStore, 'put' | 'incomingFolder'>
  dataDir: string
}

export interface ImportOptions {
  archive: string
  /** Name of the new organization; null for that of the archive. */
  name: string | null
  /** E-mail address of the account that becomes its administrator; null for nobody. */
  administrator: string | null
  show(step: string, done: number, total: number): void
  signal: AbortSignal
}

export interface ImportReport {
  organization: { id: string; name: string }
  rows: number
  files: number
  /** Rows of the archive that belong to something that was added or deleted while it was written. */
  skipped: number
}

const stateSchema = z.object({
  organizationId: z.string(),
  /** What the new ids are made of, with the old ones. */
  seed: z.string(),
  /** Lines that were read, by table. */
  read: z.record(z.string(), z.number()),
  imported: z.number(),
  skipped: z.number(),
})
/** How far an import has come; stored in the transaction that stores the rows. */
type ImportState = z.infer<typeof stateSchema>

// A transaction blocks the event loop and other writers, and the text of a fragment is stemmed in it.
const batchSizes: Record<string, number> = { fragments: 10, files: 1 }
const batchSize = 50
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Creates an organization from an archive. Everything gets new ids, so that an archive can be imported many times. */
export function createOrganizationImport({ db, indexes, fileStore, dataDir }: Deps) {
  /**
   * Checks the archive before it stores anything. Nobody sees the organization before it is complete. Continues an import
   * of the same archive that was interrupted. Throws invalid_input for an archive that is damaged or none.
   */
  return async (actor: Actor, options: ImportOptions): Promise<ImportReport> => {
    assertStaff(actor)
    const administrator = await accountOf(options.administrator)
    return inStaging(dataDir, new Date(), async (folder) => {
      const manifest = await unpackOrganization(options.archive, folder)
      await assertKnown(folder, options.archive, manifest)
      const stateName = `import ${createHash('sha256').update(JSON.stringify(manifest)).digest('hex')}`
      const state = (await readState(stateName)) ?? (await begin(folder, stateName, manifest, options))
      for (const table of transferredTables) await importRows(folder, table, manifest, stateName, state, options)
      return finish(actor, stateName, state, manifest, administrator)
    })
  }

  /** Throws not_found without an account. */
  async function accountOf(email: string | null): Promise<{ id: string; email: string } | null> {
    if (email === null) return null
    const ofEmail = eq(users.emailNormalized, normalizeEmail(email))
    const [user] = await db.read.select({ id: users.id, email: users.email }).from(users).where(ofEmail)
    if (!user) throw new AppError('not_found', `No account has the e-mail address ${email}.`)
    return user
  }

  async function addAdministrator(
    tx: Transaction,
    actor: Actor,
    organizationId: string,
    { id: userId, email }: { id: string; email: string },
  ): Promise<void> {
    await tx.insert(members).values({ organizationId, userId, role: 'admin' })
    const changes = [{ field: 'role', to: 'admin' }]
    await recordEvent(tx, actor, {
      organizationId,
      action: 'member.joined',
      subject: { id: userId, name: email },
      changes,
    })
  }

  async function readState(name: string): Promise<ImportState | null> {
    const [row] = await db.read.select().from(settings).where(eq(settings.name, name))
    return row ? stateSchema.parse(JSON.parse(row.value)) : null
  }

  /** Creates the organization, which is hidden like a deleted one until the end. */
  async function begin(
    folder: string,
    stateName: string,
    manifest: OrganizationManifest,
    { name }: ImportOptions,
  ): Promise<ImportState> {
    const values = fromJson(await readFile(join(folder, organizationFileName), 'utf8'))
    const row = { ...values, name: name ?? manifest.organization.name, plan: unlimitedPlan, deletedAt: new Date() }
    return db.write(async (tx) => {
      const [created] = await tx
        .insert(organizations)
        .values(row as typeof organizations.$inferInsert)
        .returning({ id: organizations.id })
      const seed = randomBytes(32).toString('base64url')
      const state = { organizationId: created?.id ?? '', seed, read: {}, imported: 0, skipped: 0 }
      await writeState(tx, stateName, state)
      return state
    })
  }

  async function importRows(
    folder: string,
    table: TransferredTable,
    manifest: OrganizationManifest,
    stateName: string,
    state: ImportState,
    { show, signal }: ImportOptions,
  ): Promise<void> {
    const total = manifest.rows[table.name] ?? 0
    const size = batchSizes[table.name] ?? batchSize
    let line = 0
    let batch: Row[] = []
    const store = async () => {
      signal.throwIfAborted()
      if (batch.length > 0) await importBatch(folder, table, batch, stateName, state, line)
      batch = []
      show(`Importing ${table.name.replaceAll('_', ' ')}`, line, total)
    }
    const done = state.read[table.name] ?? 0
    const path = join(folder, rowsPath(table.name))
    if (total === 0 || done >= total) return
    for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
      line += 1
      if (line <= done) continue
      batch.push(fromJson(text))
      if (batch.length >= size) await store()
    }
    await store()
  }

  /** Stores rows and how far the import is in one transaction. Changes `state` once it is stored. */
  async function importBatch(
    folder: string,
    table: TransferredTable,
    batch: Row[],
    stateName: string,
    state: ImportState,
    line: number,
  ): Promise<void> {
    const rows = await withParents(
      table,
      batch.map((row) => renewed(table, row, state)),
    )
    if (table.name === 'files') for (const [n, row] of rows.entries()) await storeFile(folder, batch[n], row)
    const next = {
      ...state,
      read: { ...state.read, [table.name]: line },
      imported: state.imported + rows.length,
      skipped: state.skipped + batch.length - rows.length,
    }
    await db.write(async (tx) => {
      if (table.name === 'fragments') await insertFragments(tx, rows)
      else if (rows.length > 0) await tx.insert(table.table).values(rows as never[])
      await writeState(tx, stateName, next)
    })
    Object.assign(state, next)
  }

  async function insertFragments(tx: Transaction, rows: Row[]): Promise<void> {
    if (rows.length === 0) return
    const stored = await tx
      .insert(fragments)
      .values(rows as (typeof fragments.$inferInsert)[])
      .returning()
    await indexes.text.add(tx, stored.map(indexedText))
  }

  /** Without rows that belong to something that the archive does not have. */
  async function withParents(table: TransferredTable, rows: Row[]): Promise<Row[]> {
    let kept = rows
    for (const [column, parent] of referencesOf(table)) {
      const ids = [...new Set(kept.map((row) => row[column]).filter((id) => typeof id === 'string' && id !== ''))]
      if (ids.length === 0) continue
      const { id } = parent.columns
      if (!id) continue
      const found: Row[] = await db.read.select({ id }).from(parent.table).where(inArray(id, ids))
      const known = new Set(found.map((row) => row.id))
      kept = kept.filter((row) => row[column] === null || row[column] === '' || known.has(row[column]))
    }
    return kept
  }

  /** Puts the bytes of a file into the store before its row. */
  async function storeFile(folder: string, original: Row | undefined, row: Row): Promise<void> {
    const from = join(folder, filesFolderName, String(original?.id))
    // The installation that wrote the archive had lost it.
    if (!(await exists(from))) return
    await mkdir(fileStore.incomingFolder, { recursive: true, mode: 0o700 })
    const draft = join(fileStore.incomingFolder, randomUUID())
    try {
      await copyFile(from, draft)
      await fileStore.put(String(row.id), draft)
    } finally {
      await rm(draft, { force: true })
    }
  }

  async function finish(
    actor: Actor,
    stateName: string,
    { organizationId, imported, skipped }: ImportState,
    manifest: OrganizationManifest,
    administrator: { id: string; email: string } | null,
  ): Promise<ImportReport> {
    const ofOrganization = eq(organizations.id, organizationId)
    const name = await db.write(async (tx) => {
      const [shown] = await tx.update(organizations).set({ deletedAt: null }).where(ofOrganization).returning()
      for (const { id, refreshInterval } of await tx
        .select()
        .from(sources)
        .where(eq(sources.organizationId, organizationId)))
        await tx
          .update(sources)
          .set({ refreshDueAt: nextRefresh(refreshInterval) })
          .where(eq(sources.id, id))
      for (const { id } of await tx
        .select({ id: collections.id })
        .from(collections)
        .where(eq(collections.organizationId, organizationId)))
        await enqueueEmbedding(tx, { collectionId: id, organizationId })
      const subject = { id: organizationId, name: shown?.name ?? '' }
      await recordEvent(tx, actor, { organizationId, action: 'organization.imported', subject })
      if (administrator) await addAdministrator(tx, actor, organizationId, administrator)
      await tx.delete(settings).where(eq(settings.name, stateName))
      return subject.name
    })
    const files = Object.keys(manifest.checksums).filter((path) => path.startsWith(`${filesFolderName}/`)).length
    return { organization: { id: organizationId, name }, rows: imported, files, skipped }
  }
}

/** The columns with ids of other rows, and their tables. */
function referencesOf({ ids, parent }: TransferredTable): [string, TransferredTable][] {
  const tables: Record<string, string> = {
    collectionId: 'collections',
    sourceId: 'sources',
    addressId: 'addresses',
    runId: 'runs',
    agentId: 'agents',
    threadId: 'threads',
  }
  const columns = [...new Set([...(parent ? [parent.column] : []), ...ids])]
  return columns.flatMap((column) => {
    const name = tables[column]
    return name ? [[column, transferredTable(name)] as [string, TransferredTable]] : []
  })
}

/** A row with new ids, in the new organization. Nothing is running in it yet. */
function renewed({ columns, ids, name }: TransferredTable, row: Row, { seed, organizationId }: ImportState): Row {
  const next: Row = { ...row, ...('organizationId' in columns ? { organizationId } : {}) }
  for (const column of ids) {
    const id = row[column]
    if (typeof id === 'string' && id !== '') next[column] = renewedId(seed, id)
  }
  if (name === 'sources' && (row.status === 'processing' || row.status === 'crawling')) next.status = 'idle'
  if (name === 'runs' && row.finishedAt === null) next.finishedAt = row.startedAt
  return next
}

/** The same for each seed and id, and as hard to guess as the seed. */
function renewedId(seed: string, id: string): string {
  const hash = createHash('sha256').update(seed).update('\0').update(id).digest()
  if (!uuid.test(id)) return threadIdOf(hash.subarray(0, 20))
  const hex = hash.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

async function writeState(tx: Transaction, name: string, state: ImportState): Promise<void> {
  const value = { name, value: JSON.stringify(state) }
  await tx.insert(settings).values(value).onConflictDoUpdate({ target: settings.name, set: value })
}

/** All rows of a table have the same columns. Throws invalid_input for one that this version does not know. */
async function assertKnown(folder: string, archive: string, { version }: OrganizationManifest): Promise<void> {
  const known: [string, object][] = transferredTables.map(({ name, columns }) => [rowsPath(name), columns])
  for (const [path, columns] of [[organizationFileName, getTableColumns(organizations)] as const, ...known]) {
    const names = Object.keys(await firstRow(join(folder, path)))
    if (names.some((name) => !(name in columns)))
      throw unusable(archive, `version ${version} wrote it, and this version is older. Update first`)
  }
}

/** Empty without a row. */
async function firstRow(path: string): Promise<Row> {
  const lines = createInterface({ input: createReadStream(path) })
  for await (const line of lines) {
    lines.close()
    return line === '' ? {} : fromJson(line)
  }
  return {}
}
