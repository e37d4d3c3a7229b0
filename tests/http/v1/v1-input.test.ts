import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { problemSchema } from '../../../contract/views/problem'
import { type ApiEndpoint, nameOf, pathOf } from '../../support/api/api-endpoint'
import { apiEndpoints } from '../../support/api/api-endpoints'
import { type ApiResponse, type ApiWorld, jsonInit, startApiWorld } from '../../support/api/api-world'

let world: ApiWorld

beforeAll(async () => {
  world = await startApiWorld()
})
afterAll(() => world.close())

type Init = { headers?: HeadersInit; body?: BodyInit }
const typed = (type: string, body: BodyInit): Init => ({ headers: { 'content-type': type }, body })
const mebibyte = 1024 * 1024
const boundary = 'x-boundary'
const part = (name: string, value: string) =>
  `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

interface BadBody {
  what: string
  init: Init
  status?: number
  says: RegExp
  /** Only where forms are taken, or only where they are not. */
  forms?: boolean
}

const libraryWords = /^Invalid (input|string|option|key|element)|^Expected|^Too (big|small)|^Unrecognized/
const noObject = /must be a JSON object/
const notJson = /not valid JSON/
const wrongType = /^Send the body as .*application\/json\.$/
const brokenForm = /form cannot be read/

const badBodies: BadBody[] = [
  { what: 'no body', init: {}, says: wrongType },
  { what: 'nothing', init: jsonInit(''), says: /body is empty/ },
  { what: 'null', init: jsonInit('null'), says: noObject },
  { what: 'an array', init: jsonInit('[]'), says: noObject },
  { what: 'an array of objects', init: jsonInit('[{"name":"x"}]'), says: noObject },
  { what: 'a number', init: jsonInit('7'), says: noObject },
  { what: 'a text', init: jsonInit('"name"'), says: noObject },
  { what: 'true', init: jsonInit('true'), says: noObject },
  { what: 'incomplete JSON', init: jsonInit('{"name": "x"'), says: notJson },
  { what: 'two JSON values', init: jsonInit('{}{}'), says: notJson },
  { what: 'invalid UTF-8', init: jsonInit(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])), says: notJson },
  { what: 'too deep', init: jsonInit('['.repeat(500_000)), says: notJson },
  { what: 'more than 1 MiB', init: jsonInit(`{"name":"${'x'.repeat(mebibyte)}"}`), status: 413, says: /at most 1 MiB/ },
  { what: 'plain text', init: typed('text/plain', '{"name":"x"}'), says: wrongType },
  { what: 'XML', init: typed('application/xml', '<name>x</name>'), says: wrongType },
  { what: 'an unreadable type', init: typed('/;;', '{"name":"x"}'), says: wrongType },
  { what: 'a form', init: typed('application/x-www-form-urlencoded', 'name=x'), says: wrongType, forms: false },
  { what: 'a form in parts', init: { body: formOf({ name: 'x' }) }, says: wrongType, forms: false },
  {
    what: 'parts without a boundary',
    init: typed('multipart/form-data', part('name', 'x')),
    says: brokenForm,
    forms: true,
  },
  {
    what: 'parts of another boundary',
    init: typed('multipart/form-data; boundary=other', `${part('name', 'x')}--${boundary}--`),
    says: brokenForm,
    forms: true,
  },
  {
    what: 'parts that break off',
    init: typed(`multipart/form-data; boundary=${boundary}`, part('name', 'x').slice(0, -20)),
    says: brokenForm,
    forms: true,
  },
  { what: 'no parts', init: typed(`multipart/form-data; boundary=${boundary}`, ''), says: brokenForm, forms: true },
  {
    what: 'parts of more than 1 MiB',
    init: { body: formOf({ name: 'x'.repeat(mebibyte), type: 'url', url: 'https://lamps.example/' }) },
    status: 413,
    says: /at most 1 MiB/,
    forms: true,
  },
]

const withBody = apiEndpoints.filter(
  (endpoint) => endpoint.body && !['key', 'visitor', 'private'].includes(endpoint.may),
)

describe.each(withBody.map((endpoint) => ({ endpoint, name: nameOf(endpoint) })))('$name', ({ endpoint }) => {
  it('rejects an invalid body', async () => {
    const before = await world.stored()
    for (const { what, init, status = 400, says, forms } of badBodies) {
      if ((what === 'nothing' || what === 'no body') && endpoint.operation.optional) continue
      if (forms !== undefined && forms !== endpoint.form) continue
      const response = await send(endpoint, init)
      expect(response.status, what).toBe(status)
      const { message, detail, code } = problemSchema.parse(response.body)
      expect(message, what).toMatch(says)
      expect(detail).toBe(message)
      expect(code).toBe(status === 413 ? 'too_large' : 'invalid_input')
    }
    expect(await world.stored()).toBe(before)
  })

  it('names the invalid field', async () => {
    const before = await world.stored()
    const good = endpoint.body?.(world.own) ?? {}
    for (const [field, values] of Object.entries(endpoint.wrong ?? {})) {
      for (const value of values) {
        const what = `${field}: ${JSON.stringify(value)?.slice(0, 40)}`
        const response = await send(endpoint, jsonInit(JSON.stringify({ ...good, [field]: value })))
        expect(response.status, what).toBe(400)
        const { errors, message } = problemSchema.parse(response.body)
        const names = Object.keys(errors ?? {}).map((name) => name.split('.')[0])
        expect([...new Set(names)], what).toEqual([field])
        expect(Object.values(errors ?? {}).flat(), what).toContain(message)
        // Words for a person, not those of the checking library.
        for (const texts of Object.values(errors ?? {})) {
          expect(texts, what).toEqual([...new Set(texts)])
          for (const text of texts) expect(text, what).not.toMatch(libraryWords)
        }
      }
    }
    expect(await world.stored()).toBe(before)
  })

  it('names every missing field', async () => {
    const before = await world.stored()
    const required = Object.entries(endpoint.wrong ?? {}).flatMap(([field, wrong]) =>
      wrong.includes(undefined) ? [field] : [],
    )
    if (required.length === 0 || endpoint.wrong?.provider) return
    const { errors } = problemSchema.parse((await send(endpoint, jsonInit('{}'))).body)
    expect(Object.keys(errors ?? {}).sort()).toEqual(required.sort())
    expect(await world.stored()).toBe(before)
  })

  it('ignores unknown fields', async () => {
    const ids = endpoint.spends ? await world.renewed(world.own, endpoint.spends) : world.own
    const smuggled = {
      id: 'mine',
      organization_id: world.foreign.organization,
      organizationId: world.foreign.organization,
      created_by: 'me',
      createdBy: 'me',
      plan: 'unlimited',
      role: 'admin',
      abilities: { delete: true },
      constructor: 7,
    }
    const text = JSON.stringify({ ...endpoint.body?.(ids), ...smuggled }).replace('{', '{"__proto__":{"staff":true},')
    const response = await world.send('admin', endpoint.method, pathOf(endpoint, ids), jsonInit(text))
    expect(response.status, response.text).toBe(endpoint.status)
    expect(endpoint.response?.safeParse(response.body).error?.issues).toBeUndefined()
    expect(response.text).not.toContain(world.foreign.organization)
    expect(response.text).not.toMatch(/"id":"mine"|"created_by":"me"/)
    const stored = await world.stored()
    expect(stored).not.toMatch(/"createdBy": "me"|"id": "mine"/)
    if (endpoint.path === '/v1/organizations')
      expect(response.body).toMatchObject({ organization: { plan: { name: 'free' } } })
  })
})

describe('an endless body', () => {
  it('is not read to the end, and the server keeps working', async () => {
    const path = `/v1/${world.own.organization}/collections`
    // The client either reads the refusal or finds the connection closed while it is still sending.
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(mebibyte)),
    })
    const init = { ...jsonInit(endless), duplex: 'half' } as RequestInit
    const headers = { 'content-type': 'application/json' }
    const status = await fetch(world.listening + path, { ...init, headers, method: 'POST' }).then(
      (response) => response.status,
      () => 'closed',
    )
    expect([401, 413, 'closed']).toContain(status)
    expect((await world.send('admin', 'GET', path)).status).toBe(200)
  })
})

describe('texts', () => {
  it('are returned unchanged, whatever they contain', async () => {
    const path = `/v1/${world.own.organization}/collections`
    const odd = [
      `<script>alert('1')</script>`,
      'Lampe für Räume 灯 💡',
      '"; drop table users; --',
      '{{prompt}} %s',
      'a\ud800b',
    ]
    for (const name of odd) {
      const description = `${name}\n\t${name}`
      const created = await world.sendJson('member', 'POST', path, { name, description })
      const kept = { name: name.toWellFormed(), description: description.toWellFormed() }
      expect(created.body).toMatchObject({ collection: kept })
    }
  })

  it('are searched for, whatever they contain', async () => {
    const path = `/v1/${world.own.organization}/search?collectionId=${world.own.collection}`
    const count = Array.from({ length: 1500 }, (_, index) => `w${index}`).join(' ')
    const odd = ['"', '*', 'lamp OR', 'NEAR(lamp', '-', '(', 'title:', '💡', 'AND', count, 'x'.repeat(10_000)]
    for (const query of odd) {
      const response = await world.send('viewer', 'GET', `${path}&query=${encodeURIComponent(query)}`)
      expect(response.status, `${query.slice(0, 20)}: ${response.text}`).toBe(200)
    }
    for (const query of ['%00', 'lamp%00', 'lamp&language=%00', 'lamp&%00=1']) {
      const response = await world.send('viewer', 'GET', `${path}&query=${query}`)
      expect([response.status, problemSchema.parse(response.body).code], query).toEqual([400, 'invalid_input'])
    }
    for (const filter of ['%', '_', '\\', "'", '*', '[', '%00', '💡', 'x'.repeat(2000)]) {
      const urls = `/v1/${world.own.organization}/urls/${world.own.collection}?filter=${encodeURIComponent(filter)}`
      const response = await world.send('viewer', 'GET', urls)
      expect(response.body, filter.slice(0, 20)).toMatchObject({ urls: { docs: [], total: 0, pages: 0 } })
    }
  })

  it.each([
    ['status', ['busy', 'crawl-limit', 'IDLE', '0'], 'Choose one of fail, new, pending, crawling, idle, limit'],
    ['reason', ['bad-mood', 'toString', '__proto__', '0'], 'There is no such reason'],
    ['filter', ['x'.repeat(2_049)], 'The filter is too long'],
    ['sourceId', ['x'.repeat(65)], 'There is no such source'],
  ])('filter addresses; an invalid %s is reported', async (field, values, says) => {
    const path = `/v1/${world.own.organization}/urls/${world.own.collection}`
    for (const value of values) {
      const { status, body } = await world.send('viewer', 'GET', `${path}?${field}=${value}`)
      expect([status, problemSchema.parse(body).errors], value).toEqual([400, { [field]: [says] }])
    }
  })

  it.each([
    ['status=idle&reason=', 1],
    ['status=fail', 0],
    ['reason=noindex', 0],
    ['filter=127.0.0.1', 1],
    ['filter=lamp&status=idle&sourceId={source}', 1],
    ['status=', 1],
  ])('filter addresses: %s finds %i', async (query, count) => {
    const path = pathOf({ path: `/v1/{organization}/urls/{collection}?${query}` }, world.own)
    const { body } = await world.send('viewer', 'GET', path)
    expect(body).toMatchObject({ urls: { total: count, pages: count } })
  })

  it.each([
    ['?agentId={agent}', 'query'],
    [`?query=${'x'.repeat(10_001)}&agentId={agent}`, 'query'],
    ['?query=lamp', 'collectionId'],
    ['?query=lamp&collectionId=', 'collectionId'],
    ['?query=lamp&collectionId={collection}&agentId=%20', 'agentId'],
    ['?query=lamp&agentId={agent}&limit=0', 'limit'],
    ['?query=lamp&agentId={agent}&limit=26', 'limit'],
    ['?query=lamp&agentId={agent}&limit=1.5', 'limit'],
    ['?query=lamp&agentId={agent}&limit=many', 'limit'],
    ['?query=lamp&agentId={agent}&limit=', 'limit'],
  ])('are rejected as an invalid search: %s', async (query, field) => {
    const path = pathOf({ path: `/v1/{organization}/search${query}` }, world.own)
    const response = await world.send('viewer', 'GET', path)
    expect(response.status).toBe(400)
    expect(Object.keys(problemSchema.parse(response.body).errors ?? {})).toEqual([field])
  })
})

describe('forms', () => {
  it('are accepted like JSON, in both encodings', async () => {
    const path = `/v1/${world.own.organization}/sources/${world.own.collection}`
    const fields = { name: 'From a form', type: 'domain', url: 'lamps.example', status: 'new' }
    const second = { ...fields, url: 'shades.example' }
    for (const [body, url] of [
      [formOf(fields), 'https://lamps.example/'],
      [new URLSearchParams(second), 'https://shades.example/'],
    ] as const) {
      const response = await world.send('member', 'POST', path, { body })
      expect(response.status).toBe(201)
      expect(response.body).toMatchObject({
        source: { name: 'From a form', type: 'domain', url, status: 'processing' },
      })
    }
    const wrong = await world.send('member', 'POST', path, { body: formOf({ ...fields, type: 'file' }) })
    expect(Object.keys(problemSchema.parse(wrong.body).errors ?? {})).toEqual(['file'])
  })

  it('rejects a file in place of a field', async () => {
    const form = formOf({ type: 'url' })
    form.set('url', new Blob(['https://lamps.example/']), 'url.txt')
    const path = `/v1/${world.own.organization}/sources/${world.own.collection}`
    const response = await world.send('member', 'POST', path, { body: form })
    expect(response.status).toBe(400)
    expect(Object.keys(problemSchema.parse(response.body).errors ?? {})).toEqual(['url'])
  })
})

describe('the key of a provider', () => {
  const secret = 'sk-of-nobody-1234'

  it('is never shown again, and stays with its provider', async () => {
    const path = `/v1/organizations/${world.own.organization}`
    const put = async (body: object) => {
      const response = await world.sendJson('admin', 'PUT', path, { name: 'Fennel', ...body })
      expect(response.status, response.text).toBe(200)
      expect(response.text).not.toContain(secret)
      const hidden = await world.send('viewer', 'GET', path)
      expect(hidden.text).not.toContain(secret.slice(-4))
      const read = await world.send('admin', 'GET', path)
      expect(read.text).not.toContain(secret)
      const { organization } = read.body as { organization: Record<string, unknown> }
      return ['provider', 'model', 'provider_key'].map((name) => organization[`default_agent_${name}`])
    }
    const provider = {
      default_agent_provider: 'openai',
      default_agent_model: 'gpt-4.1',
      default_agent_provider_key: secret,
    }
    const hint = '••••1234'
    expect(await put(provider)).toEqual(['openai', 'gpt-4.1', hint])
    expect(await world.stored()).not.toContain(secret)
    expect(await put({ name: 'Only another name' })).toEqual(['openai', 'gpt-4.1', hint])
    expect(await put({ ...provider, default_agent_provider_key: '' })).toEqual(['openai', 'gpt-4.1', hint])
    expect(await put({ default_agent_provider: 'anthropic' })).toEqual(['anthropic', null, null])
    expect(await put(provider)).toEqual(['openai', 'gpt-4.1', hint])
    expect(await put({ default_agent_provider_key: null })).toEqual(['openai', 'gpt-4.1', null])
    expect(await put({ default_agent_provider: null })).toEqual([null, null, null])
  })

  it('is never shown for an agent, either', async () => {
    const path = `/v1/${world.own.organization}/agents/${world.own.agent}`
    const put = async (body: object) => {
      const response = await world.sendJson('admin', 'PUT', path, body)
      expect(response.status, response.text).toBe(200)
      expect(response.text).not.toContain(secret)
      const { agent } = response.body as { agent: { provider: string; provider_key: string | null } }
      return [agent.provider, agent.provider_key]
    }
    const openai = { provider: 'openai', model: 'gpt-4.1' }
    expect(await put({ ...openai, provider_key: secret })).toEqual(['openai', '••••1234'])
    expect(await world.stored()).not.toContain(secret)
    expect(await put(openai)).toEqual(['openai', '••••1234'])
    expect(await put({ name: 'Only another name' })).toEqual(['openai', '••••1234'])
    expect(await put({ provider: 'deepseek', model: 'deepseek-chat' })).toEqual(['deepseek', null])
    expect(await put({ ...openai, provider_key: null })).toEqual(['openai', null])
  })

  it.each(['ключ', 'two\nlines', '💡'])('may be invalid (%j): the chat reports it', async (provider_key) => {
    const path = `/v1/${world.own.organization}/agents/${world.own.agent}`
    const settings = { provider: 'openai', model: 'gpt-4.1', provider_key }
    expect((await world.sendJson('admin', 'PUT', path, settings)).status).toBe(200)
    const response = await world.sendJson('viewer', 'POST', `${path}/chat`, { prompt: 'Which lamp is bright?' })
    expect([409, 502], response.text).toContain(response.status)
    expect(response.text).not.toContain(JSON.stringify(provider_key).slice(1, -1))
  })
})

function send(endpoint: ApiEndpoint, init: Init): Promise<ApiResponse> {
  return world.send('admin', endpoint.method, pathOf(endpoint, world.own), init)
}

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

describe('an empty body', () => {
  // contract Refresh: crawl and auto are optional, and so is the body
  it('means the defaults of a refresh', async () => {
    const endpoint = apiEndpoints.find(({ operation }) => operation.optional)
    if (!endpoint) throw new Error('No call takes an empty body.')
    const ids = await world.renewed(world.own, 'source')
    const path = pathOf(endpoint, ids)
    // A run is under way, which a refresh without `auto` refuses.
    for (const init of [jsonInit('{}'), {}, jsonInit('')]) {
      const response = await world.send('admin', endpoint.method, path, init)
      expect(response.status, response.text).toBe(409)
    }
  })

  // contract Empty prompt: 'Failed to send message', over the API, too
  it("gets the contract's title in a chat", async () => {
    const path = `/v1/${world.own.organization}/agents/${world.own.agent}/chat`
    const response = await world.sendJson('admin', 'POST', path, { prompt: '  ' })
    expect(response.status).toBe(400)
    expect(problemSchema.parse(response.body)).toMatchObject({
      title: 'Failed to send message',
      message: 'Invalid prompt, did you type your message?',
    })
  })
})
