import { mkdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { incompleteModelsFolder } from '../../engine/ports/model-store'
import { AppError } from '../../errors'
import { type ModelSettings, weightFiles } from '../embedding/model-settings'
import { sha256Of } from './hub/file-checksum'
import { type ReadSettings, readSettings } from './model-folder'
import { probeModel } from './model-probe'
import { type Origin, originFile } from './origin'

/** The folder for an incomplete model. The name of a folder within it, which the runtime loads, must not contain '--'. */
export function stagingFolder(modelsFolder: string, name: string): string {
  return join(modelsFolder, incompleteModelsFolder, name)
}

/** Reads the settings of a model. Throws AppError 'invalid_input' with the sentence that says why it is not supported. */
export function supportedSettings(folder: string, weights?: ModelSettings['weights']): ReadSettings {
  try {
    return readSettings(folder, weights)
  } catch (error) {
    throw new AppError('invalid_input', error instanceof Error ? error.message : String(error), { cause: error })
  }
}

/**
 * Tests a model in an incomplete folder below `stagingFolder`, and moves it to its place. If it does not work, deletes the
 * folder and throws AppError.
 */
export async function installModel({
  modelsFolder,
  name,
  folder,
  origin,
  signal,
}: {
  modelsFolder: string
  name: string
  folder: string
  origin: Origin
  signal: AbortSignal
}): Promise<void> {
  const probe = await probeModel(folder, { signal })
  signal.throwIfAborted()
  if (!probe.ok) {
    await removeStaging(modelsFolder, name)
    throw new AppError('invalid_input', `${name} cannot be used. ${withoutFolder(probe.reason, folder)}`)
  }
  const { weights } = readSettings(folder)
  const checked = ['config.json', 'tokenizer.json', ...weightFiles(folder, weights)]
  const sums = await Promise.all(checked.map(async (file) => [file, await sha256Of(join(folder, file))] as const))
  await writeFile(
    join(folder, originFile),
    `${JSON.stringify({ ...origin, sha256: Object.fromEntries(sums) }, null, 2)}\n`,
  )
  const target = join(modelsFolder, name)
  await mkdir(dirname(target), { recursive: true })
  await rename(folder, target)
  await removeStaging(modelsFolder, name)
}

/** Deletes what was downloaded of a model, and the folders above it that are empty then. */
export async function removeStaging(modelsFolder: string, name: string): Promise<void> {
  await rm(stagingFolder(modelsFolder, name), { recursive: true, force: true })
  await removeEmptyFolders(dirname(stagingFolder(modelsFolder, name)), modelsFolder)
}

/** Deletes the folder if it is empty, then those above it, up to `root`. */
export async function removeEmptyFolders(folder: string, root: string): Promise<void> {
  for (let path = folder; path !== root && path.startsWith(root); path = dirname(path)) {
    try {
      await rmdir(path)
    } catch {
      return
    }
  }
}

/** The folder is gone by then. */
function withoutFolder(reason: string, folder: string): string {
  return reason.replaceAll(` in ${folder}`, '').replaceAll(folder, 'its folder')
}
