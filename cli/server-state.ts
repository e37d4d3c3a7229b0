import type { Config } from '../server/config'
import type { EmbeddingState } from '../server/services/indexing/embedding'

/** What a running server says of itself at /readyz, asked on this machine; null where nobody answers like one. */
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

/** Rejects where nobody answers like a server of this product. */
export async function askReadiness(origin: string): Promise<{ embedding: EmbeddingState }> {
  const answer = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(5_000) })
  const body = (await answer.json()) as { embedding?: EmbeddingState }
  if (!body.embedding?.kind) throw new Error(`${origin} answers, but not as Sitelore does.`)
  return { embedding: body.embedding }
}

/** Where to reach what listens on `host`: 0.0.0.0 and :: are not addresses to connect to. */
function localOrigin(host: string, port: number): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`
  if (host === '::') return `http://[::1]:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
