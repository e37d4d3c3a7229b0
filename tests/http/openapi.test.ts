import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operationGroups } from '../../contract/api/groups'
import { type AnyOperation, errorsOf } from '../../contract/api/operation'
import type { OpenApiDocument } from '../../contract/views/openapi'
import type { ApiEndpoint } from '../support/api/api-endpoint'
import { apiEndpoints } from '../support/api/api-endpoints'
import { type ApiWorld, startApiWorld } from '../support/api/api-world'
import { undescribed } from '../support/web/described-answers'
import { type RouteNode, routeTree } from '../support/web/route-tree'

const operations = operationGroups.flatMap((group) => group.operations)
const nameOf = ({ method, path }: Pick<AnyOperation, 'method' | 'path'>) => `${method} ${path}`
const named = new Map(operations.map((operation) => [nameOf(operation), operation]))

/** What a failure tells whoever adds a route. */
const missing =
  'A route of /v1 needs an operation: add it to its group in contract/api, and give it to api({ operation }) in the route.'

let world: ApiWorld
let nodes: RouteNode[]
let document: OpenApiDocument

beforeAll(async () => {
  world = await startApiWorld()
  nodes = await routeTree()
  document = (await world.send('guest', 'GET', '/v1/openapi.json')).body as OpenApiDocument
})
afterAll(() => world.close())

/** The path of a route, as OpenAPI writes it. */
function pathOf(node: RouteNode): string {
  const parent = nodes.find(({ id }) => id === node.parentId)
  const own = node.path === undefined ? '' : `/${node.path.replaceAll(/:(\w+)/g, '{$1}')}`
  return (parent ? pathOf(parent) : '') + own
}

/** The row of tests/support/api-calls-*.ts with the path of its route. */
function operationOf({ method, file }: ApiEndpoint): AnyOperation | undefined {
  const node = nodes.find((routeNode) => routeNode.file === `v1+/${file}`)
  return node && named.get(nameOf({ method, path: pathOf(node) }))
}

describe('operations', () => {
  it('exist for every route and method, and no others', async () => {
    const expected: string[] = []
    for (const node of nodes.filter(({ file }) => file.startsWith('v1+/') && file !== 'v1+/$')) {
      const path = pathOf(node)
      const { headers } = await world.send('guest', 'OPTIONS', path.replaceAll(/\{\w+\}/g, 'x'))
      const methods = headers.get('allow')?.split(', ') ?? []
      expected.push(
        ...methods.filter((method) => method !== 'HEAD' && method !== 'OPTIONS').map((method) => `${method} ${path}`),
      )
    }
    expect(expected.length).toBeGreaterThan(50)
    expect(
      expected.filter((name) => !named.has(name)),
      missing,
    ).toEqual([])
    expect(
      [...named.keys()].filter((name) => !expected.includes(name)),
      'These operations have no route.',
    ).toEqual([])
  })

  it('have a row in tests/support/api-calls-*.ts, which says who may call and what it answers', () => {
    const inTable = new Set(apiEndpoints.map((row) => operationOf(row)?.id))
    const without = operations.filter(({ id }) => !inTable.has(id)).map(nameOf)
    expect(without, 'Add a row for these to tests/support/api-calls-*.ts.').toEqual([])
    for (const row of apiEndpoints) {
      const operation = operationOf(row)
      if (!operation) throw new Error(`${row.method} ${row.path}: ${missing}`)
      expect(callersOf(row), operation.id).toEqual({
        callers: operation.callers,
        role: operation.role,
        needsVisitorToken: operation.visitorToken === 'required',
      })
      const { status = operation.answer || operation.events || operation.file ? 200 : 204 } = operation
      expect(row.status, operation.id).toBe(status)
      expect(row.body !== undefined, operation.id).toBe(operation.body !== undefined || operation.upload !== undefined)
      expect(row.optional, operation.id).toBe(operation.optional)
      expect(row.form, operation.id).toBe(operation.upload ? true : operation.form)
      expect(row.errorFormat, operation.id).toBe(operation.errorFormat)
    }
  })

  it('have unique names', () => {
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length)
    expect(named.size).toBe(operations.length)
  })
})

function callersOf({ may, withKey, path }: ApiEndpoint) {
  const role = may === 'member' || may === 'admin' || may === 'staff' ? may : undefined
  const needsVisitorToken = may === 'visitor' || (withKey !== undefined && path.startsWith('/v1/public/'))
  if (may === 'everybody') return { callers: may, role, needsVisitorToken }
  if (may === 'private') return { callers: 'private-key', role, needsVisitorToken }
  if (may === 'key' || may === 'visitor') return { callers: 'key', role, needsVisitorToken }
  return { callers: withKey === undefined ? 'person' : 'person-or-key', role, needsVisitorToken }
}

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

describe('the check of answers', () => {
  const answer = { method: 'GET', path: '/v1/auth/me', status: 200, contentType: 'application/json', body: '{}' }

  it('finds a status, a type, a missing and an additional field that are not described', () => {
    expect(undescribed({ ...answer, status: 418 })[0]).toContain('answered 418')
    expect(undescribed({ ...answer, contentType: 'text/html' })[0]).toContain('as text/html')
    expect(undescribed(answer)[0]).toContain("must have required property 'user'")
    expect(undescribed({ ...answer, body: '{"user":null,"secret":1}' }).join()).toContain('additional properties')
    expect(undescribed({ ...answer, path: '/v1/nothing/here/at/all' })).toEqual([])
  })
})
