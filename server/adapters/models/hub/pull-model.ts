import { existsSync } from 'node:fs'
import { mkdir, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../../errors'
import type { CatalogueModel } from '../catalogue'
import { installModel, removeStaging, stagingFolder, supportedSettings } from '../install-model'
import type { Origin } from '../origin'
import { downloadFile } from './download-file'
import type { ModelHub } from './model-hub'
import { selectFiles } from './select-files'

export interface PullProgress {
  /** Of all files. */
  bytes: number
  totalBytes: number
}

export interface PullOptions {
  hub: ModelHub
  /** Folder of all models of the installation. */
  modelsFolder: string
  id: string
  known: CatalogueModel | null
  /** A branch, tag or commit. */
  revision: string
  onProgress(progress: PullProgress): void
  signal: AbortSignal
}

/** Kept free, so that the database can still grow. */
const freeBytes = 200_000_000

/**
 * Downloads a model, tests it, and puts it among those of the installation. An interrupted download continues in the next
 * call, unless the revision means another commit by then. Returns the commit.
 */
export async function pullModel({
  hub,
  modelsFolder,
  id,
  known,
  revision,
  onProgress,
  signal,
}: PullOptions): Promise<string> {
  const repository = known?.repository ?? id
  if (existsSync(join(modelsFolder, id)))
    throw new AppError('conflict', `${id} is already installed. To pull another revision, remove it first.`)
  const { commit, files: all } = await hub.open(repository, revision, signal)
  const { files, weights } = selectFiles(all, { id, repository, known })
  const staging = stagingFolder(modelsFolder, id)
  const folder = join(staging, commit)
  if (!existsSync(folder)) await rm(staging, { recursive: true, force: true })
  const totalBytes = files.reduce((sum, { bytes }) => sum + bytes, 0)
  await mkdir(modelsFolder, { recursive: true })
  await assertSpace(modelsFolder, totalBytes - (await bytesThere(folder, files)))
  await mkdir(folder, { recursive: true })
  let bytes = 0
  const onBytes = (count: number) => {
    bytes += count
    onProgress({ bytes, totalBytes })
  }
  if (known && Object.keys(known.settings).length > 0)
    await writeFile(join(folder, 'sitelore.json'), `${JSON.stringify(known.settings, null, 2)}\n`)
  let isSupported = false
  for (const file of files) {
    // Before the large files: the settings are complete then.
    if (!isSupported && file.path.startsWith('onnx/')) {
      try {
        supportedSettings(folder, weights)
      } catch (error) {
        await removeStaging(modelsFolder, id)
        throw error
      }
      isSupported = true
    }
    const target = join(folder, file.path)
    await downloadFile({ hub, repository, commit, file, target, onBytes, signal })
  }
  const origin: Origin = { kind: 'pulled', repository, commit }
  await installModel({ modelsFolder, name: id, folder, origin, signal })
  return commit
}

async function bytesThere(folder: string, files: { path: string }[]): Promise<number> {
  const sizes = await Promise.all(
    files.flatMap(({ path }) =>
      [path, `${path}.part`].map((name) =>
        stat(join(folder, name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Throws AppError if the disk has no room for as many bytes more. */
export async function assertSpace(folder: string, neededBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const available = bavail * bsize
  if (available - freeBytes >= neededBytes) return
  throw new AppError(
    'storage_full',
    `The disk of ${folder} has ${mb(available)} MB free; the model needs ${mb(neededBytes)} MB, and ${mb(freeBytes)} MB must stay free. Free some space, and run the command again.`,
  )
}

function mb(bytes: number): string {
  return Math.ceil(bytes / 1e6).toLocaleString('en')
}
