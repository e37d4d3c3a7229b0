import { setTimeout as wait } from 'node:timers/promises'
import { Agent, fetch, ProxyAgent } from 'undici'
import { z } from 'zod'
import { AppError } from '../../../errors'
import type { Checksum } from './file-checksum'
import { brokenConnection, failureOf, TemporaryFailure } from './hub-errors'

export interface HubFile {
  /** In the repository, with slashes. */
  path: string
  bytes: number
  checksum: Checksum
}

export interface HubModel {
  /** What the revision was when it was asked for. */
  commit: string
  files: HubFile[]
}

export interface Download {
  /** Where in the file `body` begins. 0 if the server cannot begin elsewhere. */
  offset: number
  body: AsyncIterable<Uint8Array>
}

export interface ModelHub {
  /** Lists the files of a model. */
  open(repository: string, revision: string, signal: AbortSignal): Promise<HubModel>
  /** Requests a file from `offset` on. Reading `body` fails with TemporaryFailure if the connection breaks. */
  download(
    file: { repository: string; commit: string; path: string; offset: number },
    signal: AbortSignal,
  ): Promise<Download>
  close(): Promise<void>
}

export interface ModelHubOptions {
  /** Without a slash at the end. */
  endpoint: string
  token: string | null
  /** URL of an outbound proxy. */
  proxy: string | null
  /** Waits before each further attempt, if the server states none. */
  retryDelaysMs?: readonly number[]
}

const defaultRetryDelaysMs = [1_000, 4_000, 15_000]
/** A server that wants to wait longer is left to the operator. */
const maxRetryAfterMs = 60_000
const timeouts = { connect: { timeout: 15_000 }, headersTimeout: 30_000, bodyTimeout: 60_000 }
/** Pages of 1,000 files. No model has as many. */
const maxPages = 20

const modelInfo = z.object({ sha: z.string().regex(/^[0-9a-f]{40}$/i) })
const treeEntries = z.array(
  z.object({
    type: z.string(),
    path: z.string(),
    size: z.number().int().nonnegative().default(0),
    oid: z.string(),
    lfs: z.object({ oid: z.string(), size: z.number().int().nonnegative() }).optional(),
  }),
)

/** Speaks the protocol of Hugging Face's hub. */
export function createModelHub({
  endpoint,
  token,
  proxy,
  retryDelaysMs = defaultRetryDelaysMs,
}: ModelHubOptions): ModelHub {
  const dispatcher = proxy === null ? new Agent(timeouts) : new ProxyAgent({ uri: proxy, ...timeouts })
  const host = new URL(endpoint).host

  async function open(repository: string, revision: string, signal: AbortSignal): Promise<HubModel> {
    const model = `${endpoint}/api/models/${repository}`
    const request = { repository, wanted: revision, signal }
    const info = await readJson(`${model}/revision/${encodeURIComponent(revision)}`, request, modelInfo)
    const commit = info.value.sha
    const files: HubFile[] = []
    let url: string | null = `${model}/tree/${commit}?recursive=true`
    for (let page = 0; url !== null && page < maxPages; page++) {
      const tree: { value: z.infer<typeof treeEntries>; next: string | null } = await readJson(
        url,
        request,
        treeEntries,
      )
      for (const { type, path, size, oid, lfs } of tree.value) {
        if (type !== 'file') continue
        const checksum: Checksum = lfs
          ? { algorithm: 'sha256', hex: lfs.oid.replace(/^sha256:/, '') }
          : { algorithm: 'git-sha1', hex: oid }
        files.push({ path, bytes: lfs?.size ?? size, checksum })
      }
      url = tree.next
    }
    return { commit, files }
  }

  async function readJson<Value>(
    url: string,
    request: { repository: string; wanted: string; signal: AbortSignal },
    schema: z.ZodType<Value>,
  ): Promise<{ value: Value; next: string | null }> {
    return withRetries(request.signal, async () => {
      const response = await get(url, {}, request)
      const body: unknown = await response.json().catch((error: unknown) => {
        request.signal.throwIfAborted()
        if (error instanceof SyntaxError) return null
        throw brokenConnection(endpoint, error)
      })
      const parsed = schema.safeParse(body)
      if (!parsed.success)
        throw new AppError(
          'upstream_failed',
          `${host} does not answer as a hub of models does. Check HF_ENDPOINT, which is ${endpoint}.`,
        )
      return { value: parsed.data, next: nextPage(response.headers.get('link'), endpoint) }
    })
  }

  /** Follows redirects to storage hosts, which do not get the token. */
  async function get(
    url: string,
    headers: Record<string, string>,
    { repository, wanted, signal }: { repository: string; wanted: string; signal: AbortSignal },
  ) {
    const authorization = token === null ? {} : { authorization: `Bearer ${token}` }
    const response = await fetch(url, { headers: { ...headers, ...authorization }, dispatcher, signal }).catch(
      (error: unknown) => {
        signal.throwIfAborted()
        throw brokenConnection(endpoint, error)
      },
    )
    if (response.ok) return response
    await response.body?.cancel()
    throw failureOf(response, { endpoint, repository, hasToken: token !== null, wanted })
  }

  async function download(
    { repository, commit, path, offset }: { repository: string; commit: string; path: string; offset: number },
    signal: AbortSignal,
  ): Promise<Download> {
    const url = `${endpoint}/${repository}/resolve/${commit}/${path.split('/').map(encodeURIComponent).join('/')}`
    // A compressed body would have other offsets.
    const headers = { 'accept-encoding': 'identity', ...(offset > 0 ? { range: `bytes=${offset}-` } : {}) }
    const response = await withRetries(signal, () => get(url, headers, { repository, wanted: path, signal }))
    const range = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')
    const start = response.status === 206 ? Number(range?.[1] ?? Number.NaN) : 0
    if (start !== 0 && start !== offset) {
      await response.body?.cancel()
      throw new TemporaryFailure(`${host} sent another part of ${path} than was asked for. Run the command again.`)
    }
    return { offset: start, body: bodyOf(response.body, signal) }
  }

  async function* bodyOf(body: AsyncIterable<Uint8Array> | null, signal: AbortSignal): AsyncIterable<Uint8Array> {
    try {
      yield* body ?? []
    } catch (error) {
      signal.throwIfAborted()
      throw brokenConnection(endpoint, error)
    }
  }

  async function withRetries<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    for (const delayMs of retryDelaysMs) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof TemporaryFailure)) throw error
        const pauseMs = error.retryAfterMs ?? delayMs
        if (pauseMs > maxRetryAfterMs) throw error
        await wait(pauseMs, undefined, { signal })
      }
    }
    return work()
  }

  return { open, download, close: () => dispatcher.close() }
}

/** The address of the next page; null for the last one, and for one elsewhere. */
function nextPage(link: string | null, endpoint: string): string | null {
  const found = /<([^>]+)>;\s*rel="next"/.exec(link ?? '')?.[1]
  if (found === undefined) return null
  const url = new URL(found, endpoint)
  return url.origin === new URL(endpoint).origin ? url.href : null
}
