import { existsSync } from 'node:fs'
import { copyFile, mkdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { ModelKind } from '../../../contract/views/model'
import { AppError } from '../../errors'
import { modelKindOf } from '../embedding/model-kind'
import { findInCatalogue } from './catalogue'
import type { ModelHub } from './hub/model-hub'
import { assertSpace, type PullProgress, pullModel } from './hub/pull-model'
import { installModel, removeEmptyFolders, removeStaging, stagingFolder, supportedSettings } from './install-model'
import { neededFiles } from './model-folder'
import type { ModelFolders } from './model-store'

export interface PullRequest {
  /** A branch, tag or commit. */
  revision?: string
  onProgress(progress: PullProgress): void
  signal: AbortSignal
}

interface Installed {
  name: string
  kind: ModelKind
}

const maxNameLength = 100
const part = String.raw`[A-Za-z\d][\w.-]*`
const idFormat = new RegExp(`^${part}/${part}$`)
const nameFormat = new RegExp(`^${part}(/${part})?$`)
/** Adds models to those in the data folder, and removes them. */
export function createModelInstaller({
  modelsFolder,
  bundledFolder,
  defaultName,
  rerankerName,
  hub,
}: ModelFolders & { hub: ModelHub }) {
  /** Downloads a model of a hub. Returns its name and commit, and what it is for. */
  async function pull(
    wanted: string,
    { revision = 'main', onProgress, signal }: PullRequest,
  ): Promise<Installed & { commit: string }> {
    const known = findInCatalogue(wanted)
    const id = known?.id ?? wanted
    if (!idFormat.test(id) || !isSafe(id))
      throw new AppError(
        'invalid_input',
        `'${wanted.slice(0, maxNameLength)}' is not the id of a model, such as intfloat/multilingual-e5-small. Run sitelore models list to see some.`,
      )
    const commit = await pullModel({ hub, modelsFolder, id, known, revision, onProgress, signal })
    return { name: id, kind: modelKindOf(join(modelsFolder, id)), commit }
  }

  /** Copies the folder of a model into the data folder. Returns its name, which is that of the folder, and what it is for. */
  async function add(path: string, signal: AbortSignal): Promise<Installed> {
    const from = resolve(path)
    const name = basename(from)
    if (!nameFormat.test(name) || !isSafe(name))
      throw new AppError(
        'invalid_input',
        `'${name.slice(0, maxNameLength)}' cannot be the name of a model: rename the folder to letters, digits, '-', '_' and '.'.`,
      )
    if (existsSync(join(modelsFolder, name)) || existsSync(join(bundledFolder, name)))
      throw new AppError('conflict', `There is a model ${name} already. Remove it, or rename the folder.`)
    const files = neededFiles(from, supportedSettings(from))
    const staging = stagingFolder(modelsFolder, name)
    await rm(staging, { recursive: true, force: true })
    const folder = join(staging, name)
    await mkdir(folder, { recursive: true })
    try {
      const sizes = await Promise.all(files.map(async (file) => (await stat(join(from, file))).size))
      await assertSpace(
        folder,
        sizes.reduce((sum, size) => sum + size, 0),
      )
      for (const file of files) {
        signal.throwIfAborted()
        await mkdir(dirname(join(folder, file)), { recursive: true })
        await copyFile(join(from, file), join(folder, file))
      }
      await installModel({ modelsFolder, name, folder, origin: { kind: 'added' }, signal })
    } catch (error) {
      await removeStaging(modelsFolder, name)
      throw error
    }
    return { name, kind: modelKindOf(join(modelsFolder, name)) }
  }

  /** Deletes a model that was pulled or added, or what is left of an interrupted pull. */
  async function remove(name: string): Promise<void> {
    const folder = join(modelsFolder, name)
    const isValid = nameFormat.test(name) && isSafe(name)
    const isInstalled = isValid && existsSync(join(folder, 'config.json'))
    const variable = name === defaultName ? 'EMBEDDING_MODEL' : name === rerankerName ? 'RERANKER_MODEL' : null
    if (isInstalled && variable !== null)
      throw new AppError(
        'conflict',
        `${name} is in use: it is the value of ${variable}. Set another model and restart the server first.`,
      )
    if (isValid && !isInstalled && existsSync(stagingFolder(modelsFolder, name)))
      return removeStaging(modelsFolder, name)
    if (!isInstalled) {
      const isBundled = isValid && existsSync(join(bundledFolder, name))
      throw isBundled
        ? new AppError('conflict', `${name} is part of the product and cannot be removed.`)
        : new AppError(
            'not_found',
            `There is no model ${name.slice(0, maxNameLength)} in ${modelsFolder}. Run sitelore models list to see those that are.`,
          )
    }
    await rm(folder, { recursive: true })
    await removeStaging(modelsFolder, name)
    await removeEmptyFolders(dirname(folder), modelsFolder)
  }

  return { pull, add, remove }
}

export type ModelInstaller = ReturnType<typeof createModelInstaller>

/** The runtime does not load folders with two dashes or dots in their name. */
function isSafe(name: string): boolean {
  return name.length <= maxNameLength && !/--|\.\./.test(name)
}
