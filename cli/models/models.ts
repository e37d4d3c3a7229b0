import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { pluralize } from '../../contract/texts/pluralize'
import type { CatalogueView, ModelsView, ModelView } from '../../contract/views/model'
import type { Models } from '../../server/app'
import { type Config, readConfig } from '../../server/config/config'
import { bundledModelName } from '../../server/config/embedding-settings'
import { findServer } from '../../server/local-server'
import { type Cli, examples, globalsOf } from '../cli'
import { CommandError, type Io, printJson, printLines } from '../io'
import { loadApp, withApp } from '../open-app'
import { createProgress } from '../runs/progress'
import { addSwitch } from './switch-model'

/** Collections that are named; the others are counted. */
const maxNamed = 3

/** Adds `models`. */
export function addModels(program: Command, cli: Cli): void {
  const { io } = cli
  const models = program
    .command('models')
    .summary('list, pull, add, remove or switch models')
    .description(
      'Manages the models of this installation. Collections can have any embedding model; EMBEDDING_MODEL names the one that new collections get. RERANKER_MODEL names the one that reorders search results.',
    )
    .addHelpText(
      'after',
      examples(
        'models list',
        'models pull intfloat/multilingual-e5-small',
        'models add ./my-model',
        'models switch my-model --all',
      ),
    )

  models
    .command('list', { isDefault: true })
    .description('Shows the installed models, and those that can be pulled by name.')
    .addHelpText('after', examples('models list --json'))
    .action(async (_options: object, command: Command) => {
      const found = await withModels(io, (store) => store.list())
      if (globalsOf(command).json) printJson(io, found)
      else printLines(io, linesOf(found))
    })

  models
    .command('pull <id>')
    .description(
      'Downloads the files of a model from Hugging Face, or from the hub in HF_ENDPOINT, compares their checksums and tests the model. Continues an interrupted download.',
    )
    .option('--revision <revision>', 'branch, tag or commit to pull', 'main')
    .addHelpText('after', examples('models pull intfloat/multilingual-e5-small'))
    .action((id: string, { revision }: { revision: string }, command: Command) =>
      pull(io, id, revision, globalsOf(command).json === true),
    )

  models
    .command('add <folder>')
    .description('Copies the folder of a model into the data folder, and tests the model. It needs no network.')
    .addHelpText('after', examples('models add ./my-model'))
    .action(async (folder: string, _options: object, command: Command) => {
      const added = await withModels(io, (store) => store.add(resolve(io.folder, folder), io.signal))
      if (globalsOf(command).json) printJson(io, added)
      else printLines(io, [`Added ${added.name}.`, nextStep(added)])
    })

  models
    .command('remove <name>')
    .description('Deletes a model that was pulled or added, or what is left of an interrupted pull.')
    .addHelpText('after', examples('models remove intfloat/multilingual-e5-small'))
    .action(async (name: string, _options: object, command: Command) => {
      await assertUnused(io, name)
      await withModels(io, (store) => store.remove(name))
      if (globalsOf(command).json) printJson(io, { name })
      else printLines(io, [`Removed ${name}.`])
    })

  addSwitch(models, cli)
}

/** Throws CommandError if a collection, or the server, uses the model. */
async function assertUnused(io: Io, name: string): Promise<void> {
  const { environment } = withoutModels(io)
  const { cluster, dataDir, databaseFile } = readConfig(environment, io.root)
  const server = await findServer(dataDir)
  if (server?.embeddingModel === name)
    throw new CommandError(
      `${name} is in use: it is the default of the running server. Set EMBEDDING_MODEL to another first.`,
    )
  if (server?.rerankerModel === name)
    throw new CommandError(
      `${name} is in use: it is the reranker of the running server. Set RERANKER_MODEL to another, or to none, first.`,
    )
  if (!cluster && !existsSync(databaseFile)) return
  const users = await withApp({ ...io, environment }, ({ services }) => services.modelChanges.usersOf(name))
  if (users.length === 0) return
  const named = users.slice(0, maxNamed).map((user) => `'${user}'`)
  const rest = users.length > maxNamed ? ` and ${users.length - maxNamed} more` : ''
  throw new CommandError(
    `${name} is in use by ${pluralize(users.length, 'collection')}: ${named.join(', ')}${rest}. Change them first: sitelore models switch ${bundledModelName} --all`,
  )
}

/** The environment without the names of models, which may be of models to pull. */
function withoutModels(io: Io) {
  const { EMBEDDING_MODEL: embedding, RERANKER_MODEL: reranker, ...environment } = io.environment
  return { embedding, reranker, environment }
}

async function withModels<Result>(io: Io, work: (store: Models) => Promise<Result>): Promise<Result> {
  const { embedding, reranker, environment } = withoutModels(io)
  const config: Config = readConfig(environment, io.root)
  const { openModels } = await loadApp()
  const store = openModels({
    ...config,
    embedding: { ...config.embedding, name: embedding || bundledModelName },
    reranker: reranker ? { name: reranker, modelFolder: '' } : null,
  })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

async function pull(io: Io, id: string, revision: string, json: boolean): Promise<void> {
  const progress = createProgress(io, { json })
  const startedAt = Date.now()
  let firstBytes: number | null = null
  const pulled = await withModels(io, (store) =>
    store.pull(id, {
      revision,
      signal: io.signal,
      onProgress({ bytes, totalBytes }) {
        firstBytes ??= bytes
        const msPerByte = (Date.now() - startedAt) / Math.max(1, bytes - firstBytes)
        const left = bytes > firstBytes ? durationOf((totalBytes - bytes) * msPerByte) : 'unknown time'
        progress.show({
          label: 'Downloading',
          done: bytes,
          total: totalBytes,
          counts: `${megabytes(bytes)} of ${megabytes(totalBytes)} MB, ${left} left`,
        })
      },
    }),
  ).finally(() => progress.end())
  if (json) return printJson(io, pulled)
  printLines(io, [`Pulled ${pulled.name} at commit ${pulled.commit.slice(0, 12)}.`, nextStep(pulled)])
}

function nextStep({ name, kind }: { name: string; kind: ModelView['kind'] }): string {
  if (kind === 'reranker') return `To use it, set RERANKER_MODEL=${name} and restart the server.`
  return `To use it, choose it on the page of a collection, or run: sitelore models switch ${name}\nTo make it the default of new collections, set EMBEDDING_MODEL=${name} and restart the server.`
}

function linesOf({ installed, available }: ModelsView): string[] {
  return [
    'Installed:',
    ...aligned(installed.map((model) => [`${model.is_default ? '*' : ' '} ${model.name}`, ...installedCells(model)])),
    '',
    'To pull:',
    ...aligned(available.map((model) => [`  ${model.id}`, ...availableCells(model)])),
    '',
    '* is the value of EMBEDDING_MODEL or RERANKER_MODEL. Sizes and languages of models to pull are those that their publishers state.',
  ]
}

function installedCells({ kind, languages, dimensions, bytes, license, problem }: ModelView): string[] {
  if (problem !== null) return [problem]
  return [
    languages ?? 'languages unknown',
    kind === 'reranker' ? 'reranker' : dimensions === null ? 'dimensions unknown' : `${dimensions} dimensions`,
    `${megabytes(bytes)} MB`,
    license ?? '',
  ]
}

function availableCells(model: CatalogueView): string[] {
  return [
    model.languages,
    model.dimensions === null ? 'reranker' : `${model.dimensions} dimensions`,
    `${megabytes(model.disk_bytes)} MB`,
    model.license,
    model.is_tested ? '' : 'not tested',
  ]
}

/** Rows whose cells start at the same place. The last cell of a row does not widen its column. */
function aligned(rows: string[][]): string[] {
  const widths = rows.reduce<number[]>(
    (found, row) =>
      row
        .slice(0, -1)
        .map((cell, n) => Math.max(found[n] ?? 0, cell.length))
        .concat(found.slice(row.length - 1)),
    [],
  )
  return rows.map((row) =>
    row
      .map((cell, n) => cell.padEnd(widths[n] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** '16 s', '3 min'. */
function durationOf(ms: number): string {
  const seconds = Math.ceil(ms / 1_000)
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}

function megabytes(bytes: number): string {
  return Math.ceil(bytes / 1e6).toLocaleString('en')
}
