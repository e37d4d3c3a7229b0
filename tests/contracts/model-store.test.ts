import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createModelHub } from '../../server/adapters/models/hub/model-hub'
import { createModelInstaller } from '../../server/adapters/models/model-installer'
import { createModelStore } from '../../server/adapters/models/model-store'
import { type FakeHub, startFakeHub } from '../support/embedding/hub'
import { type TinyModel, writeTinyModel } from '../support/embedding/tiny-model'

const bundledFolder = resolve(import.meta.dirname, '../../models')
const id = 'lamps/tiny-lamps'
const weights = 'onnx/model_quantized.onnx'

let parent: string
let modelsFolder: string
let hub: FakeHub
beforeEach(async () => {
  parent = mkdtempSync(join(tmpdir(), 'sitelore-pulls-'))
  modelsFolder = join(parent, 'models')
  hub = await startFakeHub(id, filesOf({ weights: 'model_quantized.onnx' }))
})
afterEach(async () => {
  await hub.close()
  rmSync(parent, { recursive: true })
})

/** The files of a model as a repository has them, with others that are not needed. */
function filesOf(model: TinyModel): Record<string, Uint8Array> {
  const folder = writeTinyModel(join(parent, 'published'), model)
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const files = Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path)]))
  rmSync(folder, { recursive: true })
  const unneeded = { 'README.md': Buffer.from('A card.'), 'pytorch_model.bin': Buffer.alloc(50_000) }
  return { ...files, ...unneeded, 'onnx/model_fp16.onnx': Buffer.alloc(50_000) }
}

interface Choices {
  token?: string | null
  defaultName?: string
  rerankerName?: string | null
}

function open({ token = null, defaultName = '', rerankerName = null }: Choices = {}) {
  const folders = { modelsFolder, bundledFolder, defaultName, rerankerName }
  const client = createModelHub({ endpoint: hub.endpoint, token, proxy: null, retryDelaysMs: [1, 1] })
  const installer = createModelInstaller({ ...folders, hub: client })
  return {
    ...createModelStore(folders),
    ...installer,
    pull: (name: string, { signal = new AbortController().signal, revision = 'main', onProgress = () => {} } = {}) =>
      installer.pull(name, { signal, revision, onProgress }).finally(() => client.close()),
  }
}

/** Bytes of the weights that have arrived. */
function sizeOfPart(): number {
  const part = join(modelsFolder, '.pulling', id, hub.commit, `${weights}.part`)
  return statSync(part, { throwIfNoEntry: false })?.size ?? 0
}

const installedNames = async () => (await open().list()).installed.map(({ name }) => name)
const pathsIn = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()

describe('pulling a model', () => {
  test('takes the files that it needs, with their checksums, at a commit', async () => {
    expect(await open().pull(id)).toEqual({ name: id, kind: 'embedding', commit: hub.commit })
    expect(await pathsIn(join(modelsFolder, id))).toEqual([
      'config.json',
      weights,
      'origin.json',
      'tokenizer.json',
      'tokenizer_config.json',
    ])
    const origin = JSON.parse(await readFile(join(modelsFolder, id, 'origin.json'), 'utf8'))
    expect(origin).toMatchObject({ kind: 'pulled', repository: id, commit: hub.commit })
    expect(Object.keys(origin.sha256)).toContain(weights)
    expect(readdirSync(modelsFolder)).toEqual(['lamps'])
    const { installed } = await open({ defaultName: id }).list()
    expect(installed.find(({ name }) => name === id)).toMatchObject({
      origin: 'pulled',
      commit: hub.commit,
      is_default: true,
      max_tokens: 510,
      problem: null,
    })
    // Pinned: the files are those of the commit, whatever the branch is by then.
    const files = hub.requests.filter(({ line }) => line.includes('/resolve/'))
    expect(files.length).toBeGreaterThan(0)
    for (const { line } of files) expect(line).toContain(`/resolve/${hub.commit}/`)
  })

  test('reads all pages of a list of files', async () => {
    await hub.close()
    hub = await startFakeHub(id, filesOf({ weights: 'model.onnx' }), { pageSize: 2 })
    await open().pull(id)
    expect(await pathsIn(join(modelsFolder, id))).toContain('onnx/model.onnx')
  })

  test('takes the file with the numbers of a large model', async () => {
    await hub.close()
    hub = await startFakeHub(id, filesOf({ weights: 'model_quantized.onnx', hasDataFile: true }))
    await open().pull(id)
    expect(await pathsIn(join(modelsFolder, id))).toContain(`${weights}_data`)
  })

  test('tells the bytes that are done', async () => {
    const seen: { bytes: number; totalBytes: number }[] = []
    await open().pull(id, {
      onProgress: (progress?: { bytes: number; totalBytes: number }) => progress && seen.push(progress),
    })
    expect(seen.at(-1)?.bytes).toBe(seen.at(-1)?.totalBytes)
    expect(seen.map(({ bytes }) => bytes)).toEqual(seen.map(({ bytes }) => bytes).toSorted((a, b) => a - b))
  })

  test('takes a reranker, which the catalogue knows as one', async () => {
    await hub.close()
    const repository = 'Xenova/ms-marco-MiniLM-L-6-v2'
    hub = await startFakeHub(repository, filesOf({ weights: 'model_quantized.onnx', scores: { lamp: 1 } }))
    const name = 'cross-encoder/ms-marco-MiniLM-L6-v2'
    expect(await open().pull('ms-marco-MiniLM-L6-v2')).toEqual({ name, kind: 'reranker', commit: hub.commit })
    const { installed, available } = await open({ rerankerName: name }).list()
    expect(installed.find((model) => model.name === name)).toMatchObject({
      kind: 'reranker',
      is_default: true,
      languages: 'English',
      dimensions: null,
      max_tokens: 512,
      problem: null,
    })
    expect(available.filter(({ kind }) => kind === 'reranker').map((model) => model.id)).toEqual([
      'BAAI/bge-reranker-v2-m3',
      'jinaai/jina-reranker-v2-base-multilingual',
    ])
    await expect(open({ rerankerName: name }).remove(name)).rejects.toThrow(
      /is in use: it is the value of RERANKER_MODEL\./,
    )
    await open().remove(name)
  })

  test('sends the token to the hub alone', async () => {
    hub.token = 'hf_secret'
    await open({ token: 'hf_secret' }).pull(id)
    const storage = hub.requests.filter(({ line }) => line.startsWith('storage'))
    expect(storage.length).toBeGreaterThan(0)
    expect(storage.map(({ authorization }) => authorization)).toEqual(storage.map(() => undefined))
    expect(hub.requests.some(({ authorization }) => authorization === 'Bearer hf_secret')).toBe(true)
  })

  test('continues after a broken connection', async () => {
    for (const written of [20_000, 40_000])
      hub.faults.push({
        path: weights,
        kind: 'break',
        value: 20_000,
        times: 1,
        isReceived: () => sizeOfPart() === written,
      })
    await open().pull(id)
    const ranges = hub.requests.filter(({ line }) => line === `storage /${weights}`).map(({ range }) => range)
    expect(ranges).toEqual([undefined, 'bytes=20000-', 'bytes=40000-'])
    expect(await installedNames()).toContain(id)
  })

  test('continues in the next call', async () => {
    const isReceived = () => sizeOfPart() === 20_000
    hub.faults.push({ path: weights, kind: 'break', value: 20_000, times: 1, isReceived })
    hub.faults.push({ path: weights, kind: 'break', value: 0, times: 3 })
    await expect(open().pull(id)).rejects.toThrow(/cannot be reached .*run the command again\.$/)
    expect(await installedNames()).not.toContain(id)
    hub.requests.length = 0
    await open().pull(id)
    expect(hub.requests.filter(({ line }) => line.startsWith('storage /onnx')).map(({ range }) => range)).toEqual([
      'bytes=20000-',
    ])
    expect(readdirSync(modelsFolder)).toEqual(['lamps'])
  })

  test('starts the file again where the storage has no ranges', async () => {
    hub.faults.push({ path: weights, kind: 'break', value: 20_000, times: 1 }, { path: weights, kind: 'no-ranges' })
    await open().pull(id)
    expect(await installedNames()).toContain(id)
  })

  test('continues after a body that ends early', async () => {
    hub.faults.push({ path: weights, kind: 'truncate', value: 30_000, times: 1 })
    await open().pull(id)
    expect(await installedNames()).toContain(id)
  })

  test.each([weights, 'tokenizer_config.json'])('deletes a file with another checksum: %s', async (path) => {
    hub.faults.push({ path, kind: 'corrupt', times: 1 })
    await expect(open().pull(id)).rejects.toThrow(
      `${path} of ${id} does not have the checksum that the hub states, and was deleted. Run the command again.`,
    )
    expect((await pathsIn(modelsFolder)).filter((file) => file.includes(path))).toEqual([])
    await open().pull(id)
    expect(await installedNames()).toContain(id)
  })

  test('waits as long as the hub asks, and gives up where that is too long', async () => {
    hub.faults.push({ path: '', kind: 'status', value: 429, times: 1, headers: { 'retry-after': '0' } })
    hub.faults.push({ path: 'config.json', kind: 'status', value: 503, times: 2 })
    await open().pull(id)
    await open().remove(id)
    hub.faults.push({ path: '', kind: 'status', value: 429, headers: { 'retry-after': '3600' } })
    await expect(open().pull(id)).rejects.toThrow(
      / limits the number of requests\. Try again later, or set HF_TOKEN\.$/,
    )
  })

  test('ends when it is aborted, and leaves nothing in its place', async () => {
    const stop = new AbortController()
    const pulling = open().pull(id, { signal: stop.signal, onProgress: () => stop.abort() })
    await expect(pulling).rejects.toMatchObject({ name: 'AbortError' })
    expect(await installedNames()).not.toContain(id)
    await open().remove(id)
    expect(readdirSync(modelsFolder)).toEqual([])
  })

  test.each([
    [
      'an unknown model',
      () => {},
      'lamps/other',
      /has no public model lamps\/other\. Check the id; for a private model, set HF_TOKEN\.$/,
    ],
    [
      'a gated model',
      () => {
        hub.isGated = true
      },
      id,
      /asks its users to accept its terms\. Accept them at http.*, and set HF_TOKEN/,
    ],
    ['no id', () => {}, '../../etc', /^'\.\.\/\.\.\/etc' is not the id of a model, such as /],
    [
      'a server that fails',
      () => void hub.faults.push({ path: '', kind: 'status', value: 500 }),
      id,
      /failed with status 500\. Try again later\.$/,
    ],
    [
      'a server that is no hub',
      () => void hub.faults.push({ path: '', kind: 'status', value: 204 }),
      id,
      /does not answer as a hub of models does\. Check HF_ENDPOINT/,
    ],
  ])('says what to do with %s', async (_name, prepare, name, message) => {
    prepare()
    await expect(open().pull(name)).rejects.toThrow(message)
    expect(await pathsIn(modelsFolder)).toEqual([])
  })

  test('says what to do with a wrong token, and without a network', async () => {
    await expect(open({ token: 'wrong' }).pull(id)).rejects.toThrow(
      / rejects HF_TOKEN\. Set it to a valid token, or remove it\.$/,
    )
    await hub.close()
    await expect(open().pull(id)).rejects.toThrow(
      /^127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)\. Check the network/,
    )
  })

  test('says that a revision does not exist', async () => {
    await expect(open().pull(id, { revision: 'v9' })).rejects.toThrow(`${id} has no revision v9.`)
    expect(await open().pull(id, { revision: hub.commit })).toMatchObject({ commit: hub.commit })
  })

  test('refuses a model without weights in the ONNX format', async () => {
    await hub.close()
    const { [weights]: _, ...files } = filesOf({ weights: 'model_quantized.onnx' })
    hub = await startFakeHub(id, files)
    await expect(open().pull(id)).rejects.toThrow(/has no file onnx\/model_quantized\.onnx or onnx\/model\.onnx\./)
  })

  test('refuses what the loader does not implement before it downloads the weights', async () => {
    await hub.close()
    const modules = [{ type: 'sentence_transformers.models.LSTM', path: '1_LSTM' }]
    hub = await startFakeHub(id, filesOf({ weights: 'model_quantized.onnx', files: { 'modules.json': modules } }))
    await expect(open().pull(id)).rejects.toThrow(/contains a module that is not supported: LSTM\.$/)
    expect(hub.requests.filter(({ line }) => line.includes('onnx/'))).toEqual([])
    expect(readdirSync(modelsFolder)).toEqual([])
  })

  test('refuses weights that the runtime cannot load', async () => {
    await hub.close()
    hub = await startFakeHub(id, {
      ...filesOf({ weights: 'model_quantized.onnx' }),
      [weights]: Buffer.alloc(20_000, 7),
    })
    await expect(open().pull(id)).rejects.toThrow(
      new RegExp(`^${id} cannot be used\\. The embedding runtime could not`),
    )
    expect(readdirSync(modelsFolder)).toEqual([])
  })

  test('checks the space of the disk before it downloads anything', async () => {
    hub.claimedBytes = { [weights]: 1e15 }
    await expect(open().pull(id)).rejects.toThrow(
      /^The disk of .+ has [\d,]+ MB free; the model needs 1,000,000,\d+ MB, and 200 MB must stay free\. Free some space, and run the command again\.$/,
    )
    expect(hub.requests.filter(({ line }) => line.includes('/resolve/'))).toEqual([])
    expect(readdirSync(modelsFolder)).toEqual([])
  })

  test('refuses a model that is already there', async () => {
    await open().pull(id)
    await expect(open().pull(id)).rejects.toThrow(
      `${id} is already installed. To pull another revision, remove it first.`,
    )
  })

  test('completes the settings of a model of the catalogue', async () => {
    await hub.close()
    hub = await startFakeHub('Xenova/multilingual-e5-small', filesOf({ weights: 'model_quantized.onnx' }))
    const { name } = await open().pull('multilingual-e5-small')
    expect(name).toBe('intfloat/multilingual-e5-small')
    const settings = JSON.parse(await readFile(join(modelsFolder, name, 'sitelore.json'), 'utf8'))
    expect(settings).toEqual({ query_prefix: 'query: ', passage_prefix: 'passage: ', pooling: 'mean' })
    const { available } = await open().list()
    expect(available.map((model) => model.id)).not.toContain(name)
    expect(available.map((model) => model.id)).toContain('BAAI/bge-m3')
  })
})

describe('adding a folder', () => {
  test('copies what the model needs', async () => {
    const from = writeTinyModel(join(parent, 'my-lamps'), {
      files: { 'sitelore.json': { pooling: 'cls' }, 'notes.txt': 'x' },
    })
    expect(await open().add(from, new AbortController().signal)).toEqual({ name: 'my-lamps', kind: 'embedding' })
    expect(await pathsIn(join(modelsFolder, 'my-lamps'))).toEqual([
      'config.json',
      'onnx/model.onnx',
      'origin.json',
      'sitelore.json',
      'tokenizer.json',
      'tokenizer_config.json',
    ])
    expect(readdirSync(modelsFolder)).toEqual(['my-lamps'])
  })

  test('refuses a folder without a model, and one that does not work', async () => {
    const { signal } = new AbortController()
    await expect(open().add(join(parent, 'nothing'), signal)).rejects.toThrow(/config\.json is missing in/)
    const broken = writeTinyModel(join(parent, 'broken'))
    await writeFile(join(broken, 'onnx', 'model.onnx'), 'not a model')
    await expect(open().add(broken, signal)).rejects.toThrow(/^broken cannot be used\. /)
    await expect(open().add(join(bundledFolder, 'all-MiniLM-L6-v2'), signal)).rejects.toThrow(/^There is a model /)
    expect(existsSync(modelsFolder) ? readdirSync(modelsFolder) : []).toEqual([])
  })
})

describe('removing a model', () => {
  test('deletes its folder, unless it is in use or part of the product', async () => {
    await open().pull(id)
    await expect(open({ defaultName: id }).remove(id)).rejects.toThrow(
      /is in use: it is the value of EMBEDDING_MODEL\./,
    )
    await open().remove(id)
    expect(readdirSync(modelsFolder)).toEqual([])
    await expect(open().remove(id)).rejects.toThrow(/^There is no model lamps\/tiny-lamps in /)
    await expect(open().remove('../models')).rejects.toThrow(/^There is no model /)
    await expect(open().remove('all-MiniLM-L6-v2')).rejects.toThrow(/is part of the product and cannot be removed\.$/)
  })
})
