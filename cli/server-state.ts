import type { Config } from '../server/config'
import type { EmbeddingState } from '../server/services/indexing/embedding'

/** The answer of a server on this machine at /readyz; null if there is none. */
export async function serverState({
  host,
  port,
}: Pick<Config, 'host' | 'port'>): Promise<{ embedding: EmbeddingState } | null> {
  try {
    return await askReadiness(localOrigin(host, port))
  } catch {
    return null
  }
}

/** Rejects if no server of this product answers. */
export async function askReadiness(origin: string): Promise<{ embedding: EmbeddingState }> {
  const answer = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(5_000) })
  const body = (await answer.json()) as { embedding?: EmbeddingState }
  if (!body.embedding?.kind) throw new Error(`${origin} answers, but not as Sitelore does.`)
  return { embedding: body.embedding }
}

/** The host to connect to for a server that listens on `host`, which may be 0.0.0.0 or ::. */
function localOrigin(host: string, port: number): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`
  if (host === '::') return `http://[::1]:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
