import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../../server/config/config'
import { loadApp } from '../open-app'
import { type Check, ok, problem, warning } from './check'

const needed = ['config.json', 'tokenizer.json', 'tokenizer_config.json']
/** One of them is required. */
const weights = ['onnx/model_quantized.onnx', 'onnx/model.onnx']

const origin = z.object({ sha256: z.record(z.string(), z.string()) })

/** Compares the files of the embedding model with the checksums in its NOTICE file, or of its installation. */
export async function checkModel(folder: string): Promise<Check> {
  const name = 'Embedding model'
  const installed = await installedChecksums(folder)
  const fix = installed
    ? `Remove the model and install it again, with sitelore models, or put the original files back into ${folder}.`
    : `Put the original files back into ${folder}, for example with git checkout -- models.`
  const isThere = (file: string) => existsSync(join(folder, file))
  const missing = [...needed, ...(weights.some(isThere) ? [] : weights.slice(0, 1))].filter((file) => !isThere(file))
  if (missing.length > 0) return problem(name, `Missing: ${missing.join(', ')}.`, fix)
  const wanted = installed ?? (await checksumsOf(join(folder, 'NOTICE')))
  if (wanted.size === 0)
    return warning(name, `No checksums are known for ${folder}.`, 'Nothing, if you added the model yourself.')
  const changed: string[] = []
  for (const [file, sum] of wanted) {
    if (existsSync(join(folder, file)) && (await sha256(join(folder, file))) !== sum) changed.push(file)
  }
  if (changed.length > 0) return problem(name, `Changed or damaged: ${changed.join(', ')}.`, fix)
  return ok(name, `${folder}, all files unchanged`)
}

/** What `sitelore models` noted when it installed the model; null for other models. */
async function installedChecksums(folder: string): Promise<Map<string, string> | null> {
  try {
    const { sha256: sums } = origin.parse(JSON.parse(await readFile(join(folder, 'origin.json'), 'utf8')))
    return new Map(Object.entries(sums))
  } catch {
    return null
  }
}

/** Parses lines of a SHA-256 and a file name, and ignores all other lines. */
async function checksumsOf(notice: string): Promise<Map<string, string>> {
  if (!existsSync(notice)) return new Map()
  const text = await readFile(notice, 'utf8')
  return new Map([...text.matchAll(/^([0-9a-f]{64}) {2}(\S+)$/gm)].map(([, sum = '', file = '']) => [file, sum]))
}

async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of createReadStream(file)) hash.update(part)
  return hash.digest('hex')
}

/** Loads the runtime and the model in a child process and embeds a word. */
export async function checkEmbedding(folder: string): Promise<Check> {
  const name = 'onnxruntime'
  const fix =
    'Until then, only keyword search works. Fix the problem in the message, or run npm ci. On Alpine Linux, use a distribution with glibc.'
  try {
    const { probeModel } = await loadApp()
    const probe = await probeModel(folder, { kind: 'embedding' })
    return probe.ok ? ok(name, 'The model computes embeddings.') : problem(name, probe.reason, fix)
  } catch (error) {
    return problem(
      name,
      `It could not be tested: ${error instanceof Error ? error.message.split('\n')[0] : error}`,
      'Solve the other problems first.',
    )
  }
}

/** Loads the reranker, and measures its speed. */
export async function checkReranker(reranker: NonNullable<Config['reranker']>): Promise<Check> {
  const name = 'Reranker'
  const { testReranker } = await loadApp()
  const wrong = await testReranker(reranker)
  if (wrong === null) return ok(name, `${reranker.name} scores texts.`)
  return problem(name, wrong, 'Until then, search results keep their order. Check RERANKER_MODEL.')
}

/** Embeds a word by the service in EMBEDDING_MODEL. */
export async function checkEmbeddingService(config: Config): Promise<Check> {
  const name = 'Embedding model'
  const { testEmbeddingService } = await loadApp()
  const wrong = await testEmbeddingService(config)
  if (wrong === null) return ok(name, `${config.embedding.name} computes embeddings.`)
  return problem(name, wrong, 'Until then, only keyword search works. Check EMBEDDING_MODEL, the key and the base URL.')
}
