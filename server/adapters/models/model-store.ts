import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { CatalogueView, ModelsView, ModelView } from '../../../contract/views/model'
import { incompleteModelsFolder, type ModelStore } from '../../engine/ports/model-store'
import { bundledModel, type CatalogueModel, catalogue, findInCatalogue } from './catalogue'
import { readSettings } from './model-folder'
import { readOrigin } from './origin'

export interface ModelFolders {
  /** Folder of the models of the installation. */
  modelsFolder: string
  /** Folder of those that ship. */
  bundledFolder: string
  /** The value of EMBEDDING_MODEL. */
  defaultName: string
  /** The value of RERANKER_MODEL; null without one. */
  rerankerName: string | null
}

/** The models in the data folder and those that ship. */
export function createModelStore({ modelsFolder, bundledFolder, defaultName, rerankerName }: ModelFolders): ModelStore {
  async function list(): Promise<ModelsView> {
    const own = await modelsIn(modelsFolder)
    const bundled = (await modelsIn(bundledFolder)).filter((name) => !own.includes(name))
    const installed = await Promise.all([
      ...bundled.map((name) => describe(name, join(bundledFolder, name), true)),
      ...own.map((name) => describe(name, join(modelsFolder, name), false)),
    ])
    const names = new Set(installed.map(({ name }) => name))
    return { installed, available: catalogue.filter(({ id }) => !names.has(id)).map(catalogueView) }
  }

  async function describe(name: string, folder: string, isBundled: boolean): Promise<ModelView> {
    const card = cardOf(name)
    const origin = readOrigin(folder)
    const settings = attempt(() => readSettings(folder))
    return {
      name,
      kind: 'value' in settings ? settings.value.kind : (card?.kind ?? 'embedding'),
      origin: isBundled ? 'bundled' : origin?.kind === 'pulled' ? 'pulled' : 'added',
      commit: origin?.commit ?? null,
      is_default: name === defaultName || name === rerankerName,
      languages: card?.languages ?? null,
      license: card?.license ?? null,
      dimensions: 'value' in settings ? settings.value.dimensions : null,
      max_tokens: 'value' in settings ? settings.value.maxTokens : null,
      bytes: await sizeOf(folder),
      problem: 'problem' in settings ? settings.problem : null,
    }
  }

  return { list, languagesOf }
}

function cardOf(name: string) {
  return name === bundledModel.name ? bundledModel : findInCatalogue(name)
}

function languagesOf(name: string): string | null {
  return cardOf(name)?.languages ?? null
}

/** Names of the models in a folder: of its folders, and of those within a folder without a model. */
async function modelsIn(root: string): Promise<string[]> {
  const names = await foldersIn(root)
  const found = await Promise.all(
    names.map(async (name) => {
      if (existsSync(join(root, name, 'config.json'))) return [name]
      const within = await foldersIn(join(root, name))
      return within.map((second) => `${name}/${second}`).filter((id) => existsSync(join(root, id, 'config.json')))
    }),
  )
  return found.flat().sort()
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && entry.name !== incompleteModelsFolder)
    .map(({ name }) => name)
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        stat(join(entry.parentPath, entry.name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

function attempt<Value>(work: () => Value): { value: Value } | { problem: string } {
  try {
    return { value: work() }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

function catalogueView(model: CatalogueModel): CatalogueView {
  return {
    id: model.id,
    kind: model.kind,
    languages: model.languages,
    dimensions: model.dimensions,
    max_tokens: model.maxTokens,
    disk_bytes: model.diskMb * 1e6,
    memory_bytes: model.memoryMb * 1e6,
    license: model.license,
    is_tested: model.isTested,
  }
}
