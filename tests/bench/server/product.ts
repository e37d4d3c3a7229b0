/**
 * Measures the built product as its operator sees it, with a site and a model provider on 127.0.0.1:
 *   npm run build && npm run bench -- product [pages, default 300]
 * Start on a new data folder, processes and memory when idle, while it crawls and after that; the time from a site's name to
 * the first answer with a source; what a second crawl requests and embeds; and the time of searches over HTTP. Memory is
 * the sum of what each process has for itself and its share of what they have together (PSS).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openTestApp } from '../../support/app'
import { issueToken } from '../../support/people/access-token'
import { createPerson } from '../../support/people/people'
import { startProvider } from '../../support/providers/provider'
import { startSite } from '../../support/sites/site'
import { until } from '../../support/until'
import { startBuiltServer } from '../../support/web/server'
import { ownFragments } from '../manuals'
import { percentile } from '../percentiles'

const pages = Number(process.argv[2] ?? 300)
const searches = 200
const question = 'How do I back up the data folder?'
const mebibyte = 1024 ** 2

interface Usage {
  processes: number
  mebibytes: number
}

interface SourceState {
  status: string
  pending_embeddings: number
  last_run: { fragments: number } | null
}

const provider = await startProvider({ keys: ['bench'] })
const site = await startSite(sitePages())
const { token, dataDir } = await prepare()
const began = performance.now()
const server = await startBuiltServer({
  DATA_DIR: dataDir,
  OPENAI_API_KEY: 'bench',
  OPENAI_BASE_URL: provider.baseUrl,
})
try {
  print('start, s', (performance.now() - began) / 1000)
  await sleep(6_000)
  printUsage('idle', usageOf(server.process.pid))

  const { user } = await call<{ user: { org_connections: { organization_id: string }[] } }>('auth/me')
  const organization = user.org_connections[0]?.organization_id ?? ''
  const named = performance.now()
  const { collection } = await call<{ collection: { id: string } }>(`${organization}/collections`, { name: 'Bench' })
  const input = { type: 'domain', url: site.origin, max_pages: pages + 10 }
  const { source } = await call<{ source: { id: string } }>(`${organization}/sources/${collection.id}`, input)
  const path = `${organization}/sources/${collection.id}/${source.id}`
  const { agent } = await call<{ agent: { id: string } }>(`${organization}/agents`, {
    name: 'Bench',
    useDefaults: true,
    collectionId: collection.id,
  })
  const first = await crawl(path, async () => {
    const query = new URLSearchParams({ query: question, collectionId: collection.id })
    const found = await call<{ fragments: unknown[] }>(`${organization}/search?${query}`)
    if (found.fragments.length === 0) return false
    const ask = { prompt: question }
    const answer = await call<{ fragments: unknown[] }>(`${organization}/agents/${agent.id}/chat`, ask)
    return answer.fragments.length > 0
  })
  print('from the name of a site to an answer with a source, s', ((first.answeredAt ?? Number.NaN) - named) / 1000)
  print(`first crawl of ${pages} pages, with vectors, s`, first.seconds)
  printUsage('working, at the most', first.usage)
  await sleep(6_000)
  printUsage('after it', usageOf(server.process.pid))

  const before = site.requests.length
  await call(`${path}/refresh`, {})
  const second = await crawl(path)
  const asked = site.requests.slice(before)
  const unconditional = asked.filter(({ headers }) => !headers['if-none-match'] && !headers['if-modified-since'])
  print('second crawl, s', second.seconds)
  print('second crawl, requests', asked.length)
  print('second crawl, requests without a condition', unconditional.length)
  print('second crawl, new fragments to embed', second.newFragments)

  const times: number[] = []
  for (let n = 0; n < searches; n++) {
    const query = new URLSearchParams({ query: `${question} ${n}`, collectionId: collection.id })
    const startedAt = performance.now()
    await call(`${organization}/search?${query}`)
    times.push(performance.now() - startedAt)
  }
  console.log(`search over HTTP, p50: ${percentile(times, 0.5)}`)
  console.log(`search over HTTP, p95: ${percentile(times, 0.95)}`)
} finally {
  await server.stop()
  await site.close()
  await provider.close()
}

/** Follows the run of a source until all its fragments are embedded. `answers` is asked until it is true. */
async function crawl(path: string, answers: () => Promise<boolean> = async () => true) {
  const startedAt = performance.now()
  const usage: Usage = { processes: 0, mebibytes: 0 }
  let answeredAt: number | null = null
  let newFragments = 0
  await until(
    async () => {
      const { source } = await call<{ source: SourceState }>(path)
      const now = usageOf(server.process.pid)
      usage.processes = Math.max(usage.processes, now.processes)
      usage.mebibytes = Math.max(usage.mebibytes, now.mebibytes)
      newFragments = source.last_run?.fragments ?? 0
      if (answeredAt === null && (await answers())) answeredAt = performance.now()
      return source.status === 'idle' && source.pending_embeddings === 0 && answeredAt !== null
    },
    { everyMs: 200, patienceMs: 900_000 },
  )
  return { seconds: (performance.now() - startedAt) / 1000, answeredAt, usage, newFragments }
}

async function call<Answer>(path: string, body?: object): Promise<Answer> {
  const response = await fetch(`${server.origin}/v1/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return JSON.parse(text)
}

/** A person with an organization, and a token of theirs, in a new data folder. */
async function prepare(): Promise<{ token: string; dataDir: string }> {
  const { app, dataDir } = await openTestApp()
  const person = await createPerson(app, {}, { staff: true })
  await app.services.organizations.create(person, { name: 'Bench', entity_name: '' })
  const token = await issueToken(app, person.email)
  await app.close()
  return { token, dataDir }
}

/** Pages of the product's manual, six passages each, linked so that each is found. */
function sitePages(): Record<string, string> {
  const passages = ownFragments()
  const page = (n: number) => {
    const texts = Array.from({ length: 6 }, (_, i) => passages[(n * 6 + i) % passages.length]?.text ?? '')
    const links = Array.from({ length: 10 }, (_, i) => (n * 10 + i + 1) % pages)
    return `<!doctype html><html><head><title>Page ${n}</title></head><body><main><h1>Page ${n} of the manual</h1>
${texts.map((text) => `<p>Version ${n}. ${text.replaceAll('<', '&lt;')}</p>`).join('\n')}
<ul>${links.map((link) => `<li><a href="/${link}">Page ${link}</a></li>`).join('')}</ul></main></body></html>`
  }
  return Object.fromEntries([['/', page(0)], ...Array.from({ length: pages }, (_, n) => [`/${n}`, page(n)])])
}

function usageOf(root: number | undefined): Usage {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => [Number(pid), parentOf(pid)]),
  )
  const isOurs = (pid: number): boolean => pid === root || (parents.has(pid) && isOurs(parents.get(pid) ?? 0))
  const ours = [...parents.keys()].filter(isOurs)
  return { processes: ours.length, mebibytes: ours.reduce((sum, pid) => sum + proportionalBytes(pid), 0) / mebibyte }
}

function parentOf(pid: string): number {
  return Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0)
}

function proportionalBytes(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1024
}

/** Empty for a process that has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function printUsage(when: string, { processes, mebibytes }: Usage): void {
  console.log(`${when}: ${processes} processes, ${mebibytes.toFixed(0)} MiB`)
}

function print(what: string, value: number): void {
  console.log(`${what}: ${Number.isInteger(value) ? value : value.toFixed(1)}`)
}
