import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operationGroups } from '../../contract/api/groups'
import { errorsOf, type NamedOperation } from '../../contract/api/operation'
import { operations as table } from '../../contract/api/operations'
import type { OpenApiDocument } from '../../contract/views/openapi'
import { type ApiWorld, startApiWorld } from '../support/api/api-world'
import { undescribed } from '../support/web/described-responses'

const operations = operationGroups.flatMap((group) => group.operations)
const nameOf = ({ method, path }: Pick<NamedOperation, 'method' | 'path'>) => `${method} ${path}`
const named = new Map(operations.map((operation) => [nameOf(operation), operation]))

let world: ApiWorld
let document: OpenApiDocument

beforeAll(async () => {
  world = await startApiWorld()
  document = (await world.send('guest', 'GET', '/v1/openapi.json')).body as OpenApiDocument
})
afterAll(() => world.close())

describe('operations', () => {
  it('have one place each', () => {
    expect(named.size).toBe(operations.length)
    expect(operations.length).toBeGreaterThan(70)
    const listed = new Set(operations.map(({ id }) => id))
    expect(Object.keys(table).filter((id) => !listed.has(id))).toEqual(['sendMcpMessage'])
  })

  it('have an example of each body, which is valid', () => {
    for (const { id, body, upload, query, examples = [] } of operations) {
      const schema = body ?? upload?.fields
      if (schema) expect(examples.filter((example) => example.body).length, id).toBeGreaterThan(0)
      for (const example of examples) {
        if (example.body) expect(schema?.safeParse(example.body).error?.issues, id).toBeUndefined()
        if (example.query) expect(query?.safeParse(example.query).error?.issues, id).toBeUndefined()
      }
    }
  })
})

describe('/v1/openapi.json', () => {
  it('refers only to what it has', () => {
    const text = JSON.stringify(document)
    const references = new Set(
      [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)].map(([, kind, name]) => `${kind}/${name}`),
    )
    const components = Object.entries(document.components).flatMap(([kind, all]) =>
      Object.keys(all).map((name) => `${kind}/${name}`),
    )
    expect([...references].filter((name) => !components.includes(name))).toEqual([])
    const used = components.filter((name) => !name.startsWith('securitySchemes/') && !references.has(name))
    expect(used, 'These components are not used.').toEqual([])
  })

  it('has the server, every operation and every error', async () => {
    expect(document.servers).toEqual([{ url: world.origin }])
    for (const operation of operations) {
      const method = operation.method.toLowerCase() as 'get'
      const described = document.paths[operation.path]?.[method]
      expect(described?.operationId).toBe(operation.id)
      expect(Object.keys(described?.responses ?? {}).length, operation.id).toBeGreaterThan(2)
      expect(errorsOf(operation)).toContain('invalid_input')
    }
  })

  it('is read by any page, without a token', async () => {
    const { status, headers } = await world.send('guest', 'GET', '/v1/openapi.json', {
      headers: { origin: 'https://tools.example' },
    })
    expect(status).toBe(200)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  // After the requests: it takes seconds, in which the server closes its idle connections.
  it('is valid OpenAPI 3.1', async () => {
    expect(document.openapi).toMatch(/^3\.1\./)
    const { valid, errors } = await new Validator().validate(
      structuredClone(document) as unknown as Record<string, unknown>,
    )
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
  })
})

describe('the check of responses', () => {
  const response = { method: 'GET', path: '/v1/auth/me', status: 200, contentType: 'application/json', body: '{}' }

  it('finds a status, a type, a missing and an additional field that are not described', () => {
    expect(undescribed({ ...response, status: 418 })[0]).toContain('responded 418')
    expect(undescribed({ ...response, contentType: 'text/html' })[0]).toContain('as text/html')
    expect(undescribed(response)[0]).toContain("must have required property 'user'")
    expect(undescribed({ ...response, body: '{"user":null,"secret":1}' }).join()).toContain('additional properties')
    expect(undescribed({ ...response, path: '/v1/nothing/here/at/all' })).toEqual([])
  })
})
