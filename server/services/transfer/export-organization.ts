import { createWriteStream } from 'node:fs'
import { appendFile, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { and, asc, eq, gt, or, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import type { Database } from '../../../db/database'
import { files } from '../../../db/schema/files'
import type { Actor } from '../../actor'
import type { FileStore } from '../../engine/ports/file-store'
import { AppError } from '../../errors'
import { authorize } from '../../policy'
import { recordEvent } from '../audit/record-event'
import { exists } from '../backup/backup-parts'
import { findOrganization } from '../organizations/organizations'
import {
  checksumsOf,
  filesFolderName,
  manifestFileName,
  type OrganizationManifest,
  organizationFileName,
  packOrganization,
  rowsFolderName,
  rowsPath,
} from './organization-archive'
import { toJson } from './row-json'
import { type TransferredTable, transferredTable, transferredTables } from './transferred-tables'

type Row = Record<string, unknown>

export interface ExportOptions {
  /** The archive. Until it is complete, a folder next to it has what is done. */
  target: string
  version: string
  show(step: string, done: number): void
  signal: AbortSignal
  now?: Date
}

export interface ExportReport {
  file: string
  bytes: number
  rows: number
  files: number
  /** Names of files that the installation has lost. */
  missing: string[]
}

const pageSize = 200
const progressFileName = 'progress.json'
const progressSchema = z.object({
  organizationId: z.string(),
  /** Rows by table, of the tables that are complete. */
  rows: z.record(z.string(), z.number()),
})
type Progress = z.infer<typeof progressSchema>

/** Writes everything that an organization has, except secrets and what concerns its people, to an archive. */
export function createOrganizationExport({ db, fileStore }: { db: Database; fileStore: Pick<FileStore, 'read'> }) {
  /** Continues an export to the same target that was interrupted. Throws conflict if the archive exists. */
  return async (actor: Actor, organizationId: string, options: ExportOptions): Promise<ExportReport> => {
    authorize(actor, 'organization:delete', organizationId)
    const organization = await findOrganization(db.read, organizationId)
    const { target, version, show, signal, now = new Date() } = options
    if (await exists(target)) throw new AppError('conflict', `${target} already exists. Choose another name with --to.`)
    const folder = `${target}.export`
    const progress = await begin(folder, organizationId)
    for (const table of transferredTables) {
      if (progress.rows[table.name] !== undefined) continue
      progress.rows[table.name] = await writeRows(folder, table, organizationId, { show, signal })
      await writeProgress(folder, progress)
    }
    const missing = await copyFiles(folder, organizationId, { show, signal })
    const { name, entityName, defaultAgentProvider, defaultAgentModel, onboarding, onboardedAt } = organization
    const settings = { name, entityName, defaultAgentProvider, defaultAgentModel, onboarding, onboardedAt }
    const { visitorDailyShare, threadDays, visitorDataDays, runDays, auditDays, replacesOldThreads } = organization
    const limits = { visitorDailyShare, threadDays, visitorDataDays, runDays, auditDays, replacesOldThreads }
    await writeFile(join(folder, organizationFileName), `${toJson({ ...settings, ...limits })}\n`)
    const manifest: OrganizationManifest = {
      product: 'sitelore',
      kind: 'organization',
      version,
      created_at: now.toISOString(),
      organization: { id: organizationId, name },
      rows: progress.rows,
      checksums: await checksumsOf(folder),
    }
    await writeFile(join(folder, manifestFileName), `${JSON.stringify(manifest)}\n`)
    const bytes = await packOrganization(folder, target, signal)
    await rm(folder, { recursive: true, force: true })
    const subject = { id: organizationId, name }
    await db.write((tx) => recordEvent(tx, actor, { organizationId, action: 'organization.exported', subject }))
    const rows = Object.values(progress.rows).reduce((sum, count) => sum + count, 0)
    return { file: target, bytes, rows, files: Object.keys(manifest.checksums).filter(isFile).length, missing }
  }

  async function writeRows(
    folder: string,
    table: TransferredTable,
    organizationId: string,
    { show, signal }: Pick<ExportOptions, 'show' | 'signal'>,
  ): Promise<number> {
    const path = join(folder, rowsPath(table.name))
    await writeFile(path, '', { mode: 0o600 })
    let written = 0
    for await (const rows of rowsOf(table, organizationId)) {
      signal.throwIfAborted()
      const lines = rows.map((row) => toJson(without(row, table.omitted)))
      await appendFile(path, `${lines.join('\n')}\n`)
      written += rows.length
      show(`Exporting ${table.name.replaceAll('_', ' ')}`, written)
    }
    return written
  }

  /** The rows of an organization, or of all its parents, in pages. */
  async function* rowsOf(table: TransferredTable, organizationId: string): AsyncGenerator<Row[]> {
    const { parent } = table
    if (!parent) return yield* pagesOf(table, eq(columnOf(table, 'organizationId'), organizationId))
    const column = columnOf(table, parent.column)
    for await (const parents of rowsOf(transferredTable(parent.name), organizationId))
      for (const { id } of parents) yield* pagesOf(table, eq(column, id as string))
  }

  async function* pagesOf(table: TransferredTable, ofParent: SQL): AsyncGenerator<Row[]> {
    const order = table.order.map((name) => columnOf(table, name))
    for (let last: Row | undefined; ; ) {
      const rows: Row[] = await db.read
        .select()
        .from(table.table)
        .where(and(ofParent, table.condition, last && isAfter(table, last)))
        .orderBy(...order.map((column) => asc(column)))
        .limit(pageSize)
      last = rows.at(-1)
      if (!last) return
      yield rows
      if (rows.length < pageSize) return
      await nextTurn()
    }
  }

  /** Copies the files that the folder lacks. Returns the names of those that the installation has lost. */
  async function copyFiles(
    folder: string,
    organizationId: string,
    { show, signal }: Pick<ExportOptions, 'show' | 'signal'>,
  ): Promise<string[]> {
    const missing: string[] = []
    let copied = 0
    const rows = await db.read.select().from(files).where(eq(files.organizationId, organizationId))
    for (const { id, name, bytes } of rows) {
      signal.throwIfAborted()
      const target = join(folder, filesFolderName, id)
      const isCopied = await stat(target).then(
        ({ size }) => size === bytes,
        () => false,
      )
      if (!isCopied && !(await copyFile(id, target, signal))) missing.push(name)
      copied += 1
      show('Exporting files', copied)
    }
    return missing
  }

  async function copyFile(id: string, target: string, signal: AbortSignal): Promise<boolean> {
    const content = await fileStore.read(id).catch(() => null)
    if (!content) return false
    const unfinished = `${target}.part`
    try {
      await pipeline(Readable.from(content), createWriteStream(unfinished, { mode: 0o600 }), { signal })
      await rename(unfinished, target)
    } finally {
      await rm(unfinished, { force: true })
    }
    return true
  }
}

async function begin(folder: string, organizationId: string): Promise<Progress> {
  const known = await readProgress(folder)
  if (known && known.organizationId !== organizationId)
    throw new AppError(
      'conflict',
      `${folder} has the export of another organization. Delete it, or choose another name.`,
    )
  for (const name of [rowsFolderName, filesFolderName])
    await mkdir(join(folder, name), { recursive: true, mode: 0o700 })
  const progress = known ?? { organizationId, rows: {} }
  await writeProgress(folder, progress)
  return progress
}

async function readProgress(folder: string): Promise<Progress | null> {
  try {
    return progressSchema.parse(JSON.parse(await readFile(join(folder, progressFileName), 'utf8')))
  } catch {
    return null
  }
}

async function writeProgress(folder: string, progress: Progress): Promise<void> {
  await writeFile(join(folder, progressFileName), `${JSON.stringify(progress)}\n`)
}

/** Rows after the last one of a page, in the order of the table. */
function isAfter({ columns, order }: TransferredTable, last: Row): SQL | undefined {
  const [first = '', ...rest] = order
  const place = (name: string) => columns[name] as PgColumn
  const [second] = rest
  const isLater = gt(place(first), last[first])
  return second ? or(isLater, and(eq(place(first), last[first]), gt(place(second), last[second]))) : isLater
}

function columnOf({ name, columns }: TransferredTable, column: string): PgColumn {
  const found = columns[column]
  if (!found) throw new Error(`The table ${name} has no column ${column}.`)
  return found
}

function without(row: Row, omitted: string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !omitted.includes(name)))
}

function isFile(path: string): boolean {
  return path.startsWith(`${filesFolderName}/`)
}
