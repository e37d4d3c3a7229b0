import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { createTransformersEmbedder } from '../../server/adapters/embedding/transformers'
import { probeModel } from '../../server/adapters/models/model-probe'
import { isAppError } from '../../server/errors'
import { type TinyModel, writeTinyModel } from '../support/embedding/tiny-model'

const shipped = resolve(import.meta.dirname, '../../models/all-MiniLM-L6-v2')
const parent = mkdtempSync(join(tmpdir(), 'sitelore-probes-'))
afterAll(() => rmSync(parent, { recursive: true }))

let number = 0
const folderOf = (model: TinyModel = {}) => writeTinyModel(join(parent, `model-${++number}`), model)

/** Runs `code` in the child process when Node loads the runtime's library; `load` continues with another file. */
function whereTheRuntimeLoads(code: string): void {
  const file = join(parent, `break-${++number}.cjs`)
  const hook = `const { dlopen } = process
process.dlopen = (module, file, ...more) => {
  const load = (library) => dlopen.call(process, module, library, ...more)
  if (file.includes('onnxruntime')) { ${code} }
  return load(file)
}`
  writeFileSync(file, hook)
  vi.stubEnv('NODE_OPTIONS', `--require ${file}`)
}

test('works with the bundled model', async () => {
  expect(await probeModel(shipped)).toEqual({ ok: true })
})

test.each(['SIGTERM', 'SIGINT'])('tells a stop (%s) from a runtime that does not work', async (signal) => {
  whereTheRuntimeLoads(`process.kill(process.pid, '${signal}'); while (true);`)
  expect(await probeModel(shipped)).toMatchObject({ ok: false, isStopped: true })
})

test('ends when its process is asked to end', async () => {
  whereTheRuntimeLoads('while (true);')
  const stopping = new AbortController()
  const probe = probeModel(shipped, { signal: stopping.signal })
  stopping.abort()
  expect(await probe).toMatchObject({ ok: false, isStopped: true })
})

test('reports a missing or incomplete model at once', async () => {
  const nowhere = join(parent, 'nowhere')
  const reason = `The embedding model is incomplete: config.json is missing in ${nowhere}.`
  expect(await probeModel(nowhere)).toEqual({ ok: false, reason })
  const half = folderOf()
  rmSync(join(half, 'onnx', 'model.onnx'))
  expect(await probeModel(half)).toMatchObject({ ok: false, reason: /onnx\/model_quantized\.onnx is missing/ })
})

test('reports invalid settings with the name of their file', async () => {
  const folder = folderOf({ files: { 'sitelore.json': { pooling: 'most' } } })
  const reason = `sitelore.json in ${folder} is invalid: pooling must be mean, cls or last.`
  expect(await probeModel(folder)).toEqual({ ok: false, reason })
})

test.each([
  ['weights that are none', { 'onnx/model.onnx': 'not a model' }],
  ['a tokenizer that is none', { 'tokenizer.json': '{' }],
])('reports %s in one sentence', async (_, files) => {
  const probe = await probeModel(folderOf({ files }))
  expect(probe).toMatchObject({ ok: false, reason: /^The embedding runtime could not be loaded: [^\n]+[^.]\.$/ })
})

test('reports a library that cannot be loaded in one sentence', async () => {
  const broken = join(parent, 'library.node')
  writeFileSync(broken, 'not a library')
  whereTheRuntimeLoads(`return load(${JSON.stringify(broken)})`)
  expect(await probeModel(folderOf())).toMatchObject({
    ok: false,
    reason: /^The embedding runtime could not be loaded: [^\n]*library\.node[^\n]*\.$/,
  })
})

test('survives a runtime that crashes on this processor', async () => {
  whereTheRuntimeLoads(`process.kill(process.pid, 'SIGILL')`)
  expect(await probeModel(folderOf())).toEqual({
    ok: false,
    reason: 'The embedding runtime does not work on this machine: it ended with SIGILL.',
  })
})

test('reports the exit code of a child process without output', async () => {
  whereTheRuntimeLoads('process.exit(70)')
  const reason = 'The embedding runtime could not be loaded: it ended with code 70.'
  expect(await probeModel(folderOf())).toEqual({ ok: false, reason })
})

test('reports a runtime that does not respond in time', async () => {
  const reason = 'The embedding runtime did not answer within 0.005 s.'
  expect(await probeModel(folderOf(), { timeoutMs: 5 })).toEqual({ ok: false, reason })
})

test('rejects with a typed error when such an embedder is created', async () => {
  const warnings: string[] = []
  const log = { warn: (_: object, message: string) => warnings.push(message) }
  const modelFolder = folderOf({ files: { 'onnx/model.onnx': 'not a model' } })
  await expect(createTransformersEmbedder({ modelFolder, log })).rejects.toSatisfy(isAppError)
  // The thread was restarted once.
  expect(warnings).toHaveLength(2)
})
