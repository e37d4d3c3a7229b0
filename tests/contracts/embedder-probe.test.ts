import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { probeEmbedder } from '../../server/adapters/embedding/embedder-probe'
import { createTransformersEmbedder } from '../../server/adapters/embedding/transformers'
import { isAppError } from '../../server/errors'
import { type TinyModel, writeTinyModel } from '../support/tiny-model'

const shipped = resolve(import.meta.dirname, '../../models/all-MiniLM-L6-v2')
const parent = mkdtempSync(join(tmpdir(), 'sitelore-probes-'))
afterAll(() => rmSync(parent, { recursive: true }))

let number = 0
const folderOf = (model: TinyModel = {}) => writeTinyModel(join(parent, `model-${++number}`), model)

/** Runs `code` in the child where Node is about to load the library of the runtime; `load` goes on with another file. */
function whereTheRuntimeLoads(code: string): void {
  const file = join(parent, `break-${++number}.cjs`)
  const hook = `const { dlopen } = process
process.dlopen = (module, file, ...more) => {
  const load = (other) => dlopen.call(process, module, other, ...more)
  if (file.includes('onnxruntime')) { ${code} }
  return load(file)
}`
  writeFileSync(file, hook)
  vi.stubEnv('NODE_OPTIONS', `--require ${file}`)
}

test('the model that ships works', async () => {
  expect(await probeEmbedder(shipped)).toEqual({ ok: true })
})

test('a folder without a model, or with an incomplete one, is reported at once', async () => {
  const nowhere = join(parent, 'nowhere')
  const reason = `The embedding model is incomplete: config.json is missing in ${nowhere}.`
  expect(await probeEmbedder(nowhere)).toEqual({ ok: false, reason })
  const half = folderOf()
  rmSync(join(half, 'onnx', 'model.onnx'))
  expect(await probeEmbedder(half)).toMatchObject({ ok: false, reason: /onnx\/model_quantized\.onnx is missing/ })
})

test('invalid settings are reported with the name of their file', async () => {
  const folder = folderOf({ files: { 'sitelore.json': { pooling: 'most' } } })
  const reason = `sitelore.json in ${folder} is wrong: pooling must be mean, cls or last.`
  expect(await probeEmbedder(folder)).toEqual({ ok: false, reason })
})

test.each([
  ['weights that are none', { 'onnx/model.onnx': 'not a model' }],
  ['a tokenizer that is none', { 'tokenizer.json': '{' }],
])('%s are a plain sentence', async (_, files) => {
  const probe = await probeEmbedder(folderOf({ files }))
  expect(probe).toMatchObject({ ok: false, reason: /^The embedding runtime could not be loaded: [^\n]+[^.]\.$/ })
})

test('a library of the runtime that cannot be loaded is a plain sentence', async () => {
  const broken = join(parent, 'library.node')
  writeFileSync(broken, 'not a library')
  whereTheRuntimeLoads(`return load(${JSON.stringify(broken)})`)
  expect(await probeEmbedder(folderOf())).toMatchObject({
    ok: false,
    reason: /^The embedding runtime could not be loaded: [^\n]*library\.node[^\n]*\.$/,
  })
})

test('a runtime that this processor cannot run ends a child process alone', async () => {
  whereTheRuntimeLoads(`process.kill(process.pid, 'SIGILL')`)
  expect(await probeEmbedder(folderOf())).toEqual({
    ok: false,
    reason: 'The embedding runtime does not work on this machine: it ended with SIGILL.',
  })
})

test('a child process that ends without output is reported with its exit code', async () => {
  whereTheRuntimeLoads('process.exit(70)')
  const reason = 'The embedding runtime could not be loaded: it ended with code 70.'
  expect(await probeEmbedder(folderOf())).toEqual({ ok: false, reason })
})

test('a runtime that does not answer is not waited for', async () => {
  const reason = 'The embedding runtime did not answer within 0.005 s.'
  expect(await probeEmbedder(folderOf(), { timeoutMs: 5 })).toEqual({ ok: false, reason })
})

test('an embedder that is made all the same rejects with a typed error', async () => {
  const warnings: string[] = []
  const log = { warn: (_: object, message: string) => warnings.push(message) }
  const modelFolder = folderOf({ files: { 'onnx/model.onnx': 'not a model' } })
  await expect(createTransformersEmbedder({ modelFolder, log })).rejects.toSatisfy(isAppError)
  // The thread was started again once.
  expect(warnings).toHaveLength(2)
})
