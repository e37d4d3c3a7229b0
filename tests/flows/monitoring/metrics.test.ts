import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createMetricsServer } from '../../../server/http/metrics'
import { type ApiWorld, startApiWorld } from '../../support/api/api-world'
import { until } from '../../support/until'

const token = 'token-of-the-test'
const question = { prompt: 'Which cell does the Storm 40 take?' }

let world: ApiWorld | undefined
let own: Server | undefined
afterEach(async () => {
  own?.close()
  await world?.close()
  world = undefined
})

async function read(origin: string, bearer: string | null = token): Promise<{ status: number; text: string }> {
  const response = await fetch(`${origin}/metrics`, {
    headers: bearer === null ? {} : { authorization: `Bearer ${bearer}` },
    redirect: 'manual',
  })
  return { status: response.status, text: await response.text() }
}

/** The value of a metric with these labels. */
function metric(text: string, name: string, ...labels: string[]): number | null {
  const line = text
    .split('\n')
    .find(
      (part) =>
        part.startsWith(name) && /^[{ ]/.test(part.slice(name.length)) && labels.every((label) => part.includes(label)),
    )
  return line ? Number(line.split(' ').at(-1)) : null
}

it('does not exist without a token and a port', async () => {
  world = await startApiWorld()
  expect(world.app.metrics).toBeNull()
  expect((await read(world.listening)).text).not.toContain('sitelore_')
})

it('requires the token', async () => {
  world = await startApiWorld(undefined, { METRICS_TOKEN: token })
  for (const wrong of [null, '', 'wrong', `${token}x`])
    expect(await read(world.listening, wrong)).toEqual({
      status: 401,
      text: 'Send the METRICS_TOKEN as a bearer token.\n',
    })
  expect((await read(world.listening)).status).toBe(200)
})

it('is on its own port alone, if there is one', async () => {
  world = await startApiWorld(undefined, { METRICS_PORT: '1' })
  expect((await read(world.listening, null)).text).not.toContain('sitelore_')
  own = createMetricsServer(world.app).listen(0, '127.0.0.1')
  await once(own, 'listening')
  const origin = `http://127.0.0.1:${(own.address() as AddressInfo).port}`
  expect((await read(origin, null)).text).toContain('sitelore_build_info')
  expect((await fetch(`${origin}/`)).status).toBe(404)
})

it('counts requests, answers by stage, calls of providers, rejections and what is stored', async () => {
  world = await startApiWorld(undefined, { METRICS_TOKEN: token })
  const { agent, organization } = world.own
  const before = (await read(world.listening)).text
  expect((await world.sendJson('public-key', 'POST', '/v1/public/chat', question)).status).toBe(200)
  expect((await world.sendJson('guest', 'POST', '/v1/public/chat', question)).status).toBe(401)
  await fetch(`${world.listening}/v1/public/chat`, {
    method: 'POST',
    headers: { authorization: 'Bearer sitelore_public_wrong', 'content-type': 'application/json' },
    body: JSON.stringify(question),
  })
  for (let n = 0; n < 5; n++) await fetch(`${world.listening}/v1/nothing-${n}`)
  const key = `/v1/${organization}/agents/${agent}/key`
  await world.send('admin', 'GET', key)

  const { text } = await read(world.listening)
  const of = (name: string, ...labels: string[]) =>
    (metric(text, `sitelore_${name}`, ...labels) ?? 0) - (metric(before, `sitelore_${name}`, ...labels) ?? 0)
  const now = (name: string, ...labels: string[]) => metric(text, `sitelore_${name}`, ...labels)
  expect(of('http_requests_total', 'route="/v1/public/chat"', 'status="200"')).toBe(1)
  expect(of('http_requests_total', 'route="/v1/public/chat"', 'status="401"')).toBe(2)
  expect(of('http_requests_total', 'route="/v1/{orgId}/agents/{agentId}/key"', 'method="GET"')).toBe(1)
  expect(of('http_requests_total', 'route="unmatched"')).toBe(5)
  for (const stage of ['answer', 'search', 'keywords', 'fragments', 'ranking', 'citations', 'provider'])
    expect(of('stage_duration_seconds_count', `stage="${stage}"`), stage).toBeGreaterThan(0)
  expect(of('provider_calls_total', 'provider="openai"', 'outcome="complete"')).toBe(1)
  expect(of('provider_first_token_seconds_count', 'provider="openai"')).toBe(1)
  expect(of('provider_tokens_total', 'direction="input"')).toBeGreaterThan(0)
  expect(of('rejections_total', 'subject="A key"')).toBe(1)
  expect(now('jobs', 'status="queued"')).toBeGreaterThanOrEqual(0)
  expect(now('index_backlog_fragments', 'index="vectors"')).toBeGreaterThan(0)
  expect(now('crawl_visits_total', 'outcome="new"')).toBeGreaterThan(0)
  expect(now('database_bytes')).toBeGreaterThan(0)
  expect(now('disk_free_bytes')).toBeGreaterThan(0)
  expect(now('last_backup_timestamp_seconds')).toBe(0)
  expect(metric(text, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0)
  expect(text).not.toContain(agent)
})

it('counts why a provider failed', async () => {
  world = await startApiWorld(undefined, { METRICS_TOKEN: token })
  world.provider.next({ kind: 'status', status: 401 })
  await world.sendJson('public-key', 'POST', '/v1/public/chat', question)
  const { text } = await read(world.listening)
  expect(metric(text, 'sitelore_provider_calls_total', 'outcome="refused-key"')).toBeGreaterThan(0)
})

it('keeps a bounded number of routes, whatever strangers ask for', async () => {
  world = await startApiWorld(undefined, { METRICS_TOKEN: token })
  for (let n = 0; n < 400; n++) await fetch(`${world.listening}/icon/collection/${n}/host-${n}.example`)
  const { text } = await read(world.listening)
  const routes = new Set([...text.matchAll(/route="([^"]*)"/g)].map(([, route]) => route))
  expect(routes.size).toBeLessThan(10)
})

it('sends the stages of a question to the collector of OpenTelemetry', async () => {
  const sent: { path: string; type: string; body: string }[] = []
  const collector = createServer((req, res) => {
    const parts: Buffer[] = []
    req.on('data', (part: Buffer) => parts.push(part))
    req.on('end', () => {
      const type = req.headers['content-type'] ?? ''
      sent.push({ path: req.url ?? '', type, body: Buffer.concat(parts).toString('latin1') })
      res.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
    })
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const { port } = collector.address() as AddressInfo
  world = await startApiWorld(undefined, {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_BSP_SCHEDULE_DELAY: '50',
  })
  await world.sendJson('public-key', 'POST', '/v1/public/chat', question)
  await until(() => sent.some(({ body }) => body.includes('answer')))
  await world.close()
  world = undefined
  collector.close()
  expect(sent.every(({ path, type }) => path === '/v1/traces' && type === 'application/x-protobuf')).toBe(true)
  const all = sent.map(({ body }) => body).join('')
  for (const name of ['sitelore', 'answer', 'search', 'keywords', 'ranking', 'provider', 'gpt-'])
    expect(all).toContain(name)
  // Questions and answers stay here.
  expect(all).not.toContain('Storm 40')
})
