import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { providers } from '../contract/values/enumerations'
import type { EmbeddingState } from './services/indexing/embedding-models'

/**
 * What a running server leaves in its data folder for the commands that use the same folder: their own environment need
 * not be that of the server, as in another shell or container.
 */
const localServerSchema = z.object({
  /** Where the server listens, such as http://127.0.0.1:3000. */
  address: z.url(),
  publicUrl: z.url(),
  version: z.string(),
  /** Admits the calls of `server/http/local-calls.ts`. Whoever can read the data folder may make them. */
  token: z.string(),
  /** Providers for which the server's configuration has a key, or a server that needs none. */
  providers: z.array(z.enum(providers)),
  /** The value of its EMBEDDING_MODEL. */
  embeddingModel: z.string(),
  /** The value of its RERANKER_MODEL. */
  rerankerModel: z.string().nullable(),
})
export type LocalServer = z.infer<typeof localServerSchema>

/** A server that responds. */
export interface RunningServer extends LocalServer {
  embedding: EmbeddingState
}

/** A line of a response of the server, where there is no answer. */
export const localFailureSchema = z.object({ failure: z.object({ code: z.string(), message: z.string() }) })
export type LocalFailure = z.infer<typeof localFailureSchema>

/** Who asks, as threads record it. */
export const commandLineVisitor = { origin: null, ip: null, userAgent: 'sitelore command line' }

const maxWaitMs = 5_000

function fileIn(dataDir: string): string {
  return join(dataDir, 'server.json')
}

/** Replaces the file at once, so that no command reads a part of it. */
export async function announceServer(dataDir: string, server: LocalServer): Promise<void> {
  const temporary = `${fileIn(dataDir)}.new`
  await writeFile(temporary, `${JSON.stringify(server, null, 2)}\n`, { mode: 0o600 })
  await rename(temporary, fileIn(dataDir))
}

/** Leaves the file of another server, which has started meanwhile. */
export async function withdrawServer(dataDir: string, { token }: Pick<LocalServer, 'token'>): Promise<void> {
  const announced = await readAnnounced(dataDir)
  if (announced?.token === token) await rm(fileIn(dataDir), { force: true })
}

/** The server of a data folder; null if none responds. */
export async function findServer(dataDir: string): Promise<RunningServer | null> {
  const announced = await readAnnounced(dataDir)
  if (!announced) return null
  try {
    return { ...announced, ...(await askReadiness(announced.address)) }
  } catch {
    return null
  }
}

/** Rejects if no server of this product responds. */
export async function askReadiness(origin: string): Promise<{ embedding: EmbeddingState }> {
  const response = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(maxWaitMs) })
  const body = (await response.json()) as { embedding?: EmbeddingState }
  if (!body.embedding?.kind) throw new Error(`${origin} responds, but not as Sitelore does.`)
  return { embedding: body.embedding }
}

async function readAnnounced(dataDir: string): Promise<LocalServer | null> {
  try {
    return localServerSchema.parse(JSON.parse(await readFile(fileIn(dataDir), 'utf8')))
  } catch {
    return null
  }
}
