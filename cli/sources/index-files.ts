import { createReadStream, existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { fileNameOf, fileTexts, fileTypeOf } from '../../contract/sources/file'
import type { SourceView } from '../../contract/views/source'
import { system } from '../../server/actor'
import type { App } from '../../server/app'
import { isAppError } from '../../server/errors'
import type { StagedFile } from '../../server/services/files/files'
import { chooseOrganization, collectionNamed, listCollections, makeCollection } from '../accounts/organization'
import { type FoundSource, type Place, sourcesOf } from '../find-source'
import { CommandError, type Globals, type Io, UsageError } from '../io'
import { withApp } from '../open-app'
import { followRun, type Outcome } from '../runs/follow-run'
import { printOutcomes } from '../runs/run-report'

/** The collection of files without --collection. */
const defaultCollection = 'Files'

/** Whether an argument of `index` names a file on this machine, which need not exist: no host has such an extension. */
export function isFilePath(io: Pick<Io, 'folder'>, text: string): boolean {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return false
  if (/^\.{0,2}\//.test(text)) return true
  return fileTypeOf(text) !== null && (!text.includes('/') || existsSync(resolve(io.folder, text)))
}

/** Uploads each file as a source and reads it. Replaces the file with the same name, else the file of the source with that name. */
export async function indexFiles(
  io: Io,
  paths: string[],
  wanted: string | undefined,
  { organization, json = false }: Globals,
): Promise<void> {
  // All files are checked before the first one is stored.
  for (const path of paths) await assertReadable(io, path)
  await withApp(io, async (app) => {
    const organizationId = await chooseOrganization(app, organization)
    const place = { organizationId, collection: await collectionFor(app, organizationId, wanted) }
    const outcomes: Outcome[] = []
    for (const path of paths) outcomes.push(await followRun(app, io, await upload(app, io, place, path), json))
    printOutcomes(io, outcomes, json)
  })
}

async function assertReadable(io: Io, path: string): Promise<void> {
  const found = await stat(resolve(io.folder, path)).catch(() => null)
  if (!found) throw new UsageError(`There is no file ${path}.`)
  if (!found.isFile()) throw new UsageError(`${path} is not a file. Name the files in it.`)
  if (fileTypeOf(path) === null) throw new UsageError(`${path}: ${fileTexts.unsupported}. ${fileTexts.types}`)
}

async function collectionFor(app: App, organizationId: string, wanted = defaultCollection) {
  const all = await listCollections(app, organizationId)
  return collectionNamed(all, wanted) ?? makeCollection(app, organizationId, wanted)
}

async function upload(app: App, io: Io, { organizationId, collection }: Place, path: string): Promise<FoundSource> {
  const ref = { organizationId, collectionId: collection.id }
  const sources = await sourcesOf(app, organizationId, collection.id)
  const known = sourceOf(sources, fileNameOf(path))
  let file: StagedFile | null = null
  try {
    const receive = await app.services.fileSources.receiver(system, { ...ref, sourceId: known?.id })
    file = await receive(basename(path), createReadStream(resolve(io.folder, path), { signal: io.signal }))
    const source = known
      ? await app.services.fileSources.replace(system, { ...ref, sourceId: known.id }, {}, file)
      : await app.services.fileSources.create(system, ref, { name: '' }, file)
    return { organizationId, collection, source }
  } catch (error) {
    if (!isAppError(error)) throw error
    const title = error.code === 'too_large' ? `${error.details.title}. ` : ''
    throw new CommandError(`${path}: ${title}${error.message}`)
  } finally {
    if (file) await app.services.files.discard(file)
  }
}

/** The source whose file has this name, else the source with this name. */
function sourceOf(sources: SourceView[], fileName: string): SourceView | undefined {
  const files = sources.filter(({ type }) => type === 'file')
  return files.find(({ file_name }) => file_name === fileName) ?? files.find(({ name }) => name === fileName)
}
