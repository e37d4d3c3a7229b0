import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Reference } from '../../app/components/reference/reference-content'
import { referenceOf } from '../../app/http/reference/reference.server'
import { operationGroups } from '../../contract/api/groups'
import { curlOf, javascriptOf, variablesOf } from '../../contract/api/openapi/example-code'
import { openApiDocument } from '../../contract/api/openapi/openapi'
import { unlimitedPlan } from '../../contract/organizations/plan'
import { system } from '../../server/actor'
import { type ApiWorld, startApiWorld } from '../support/api/api-world'

const exec = promisify(execFile)

let world: ApiWorld
let reference: Reference

beforeAll(async () => {
  world = await startApiWorld()
  await world.app.services.plans.assign(system, world.own.organization, unlimitedPlan)
  reference = referenceOf(openApiDocument(world.origin))
})
afterAll(() => world.close())

/** The variables that the page tells its readers to set. */
async function environment(bearer: 'admin' | 'platform'): Promise<NodeJS.ProcessEnv> {
  const { own, credentials } = world
  // A collection has a source only once.
  const { collection } = await world.renewed(own, 'collection')
  return {
    NODE_ENV: 'test',
    PATH: process.env.PATH,
    TOKEN: credentials[bearer].bearer ?? '',
    ORG: own.organization,
    COLLECTION: collection,
    AGENT: own.agent,
    PUBLIC_KEY: credentials['public-key'].bearer ?? '',
    PRIVATE_KEY: credentials['private-key'].bearer ?? '',
  }
}

const rows = operationGroups
  .flatMap(({ operations }) => operations)
  .flatMap((operation) =>
    (operation.examples ?? []).flatMap((example) => (example.title ? [{ ...example, operation, example }] : [])),
  )

describe.each(rows)('the example "$title"', ({ operation, example }) => {
  const env = () => environment(operation.role === 'staff' ? 'platform' : 'admin')

  it('works with curl', async () => {
    const command = curlOf(operation, example, world.origin).replace(/^curl/, 'curl -sS --noproxy "*"')
    const { stdout } = await exec('bash', ['-c', command], { env: await env() })
    expectAnswer(stdout)
  })

  it('works with JavaScript', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'reference-')), 'example.mjs')
    writeFileSync(file, javascriptOf(operation, example, world.origin))
    const { stdout } = await exec(process.execPath, [file], { env: await env() })
    expect(stdout.trim()).not.toBe('')
    if (example.streams) expect(stdout).toContain('event: answer-end')
  })

  it('takes its values from variables that the page names', async () => {
    const known = await env()
    expect(variablesOf(operation, example).filter((name) => !(name in known))).toEqual([])
  })

  function expectAnswer(stdout: string) {
    if (example.streams) return expect(stdout).toContain('event: answer-end')
    expect(operation.response?.safeParse(JSON.parse(stdout)).error?.issues, stdout).toBeUndefined()
  }
})

describe('the reference', () => {
  it('has every operation in its group, and examples for each group', () => {
    expect(reference.groups.map(({ name }) => name)).toEqual(operationGroups.map(({ name }) => name))
    for (const [index, { operations, examples: shown, name }] of reference.groups.entries()) {
      const ids = operationGroups[index]?.operations.map(({ id }) => id) ?? []
      expect(operations.map(({ id }) => id).sort()).toEqual(ids.sort())
      expect(shown.length, `Give an operation of the group ${name} an example with a title.`).toBeGreaterThan(0)
    }
  })

  it('describes every object that it names', () => {
    const names = new Set(reference.objects.map(({ name }) => name))
    const named = [...JSON.stringify(reference).matchAll(/\{"object":"([^"]+)"\}/g)].map(([, name = '']) => name)
    expect(named.length).toBeGreaterThan(50)
    expect([...new Set(named)].filter((name) => !names.has(name))).toEqual([])
  })

  it('says of a call who may make it, its parameters, its body, its responses and its errors', () => {
    const all = reference.groups.flatMap(({ operations }) => operations)
    const update = all.find(({ id }) => id === 'updateCollection')
    expect(update).toMatchObject({
      method: 'PUT',
      path: '/v1/{orgId}/collections/{collectionId}',
      callers: 'With an access token of a person.',
      description: 'For members and administrators.',
    })
    expect(update?.parameters.map(({ name }) => name)).toEqual(['orgId', 'collectionId'])
    expect(update?.body?.contents[0]?.fields?.map(({ name }) => name)).toContain('agent_prompt')
    expect(update?.responses.map(({ status }) => status)).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '413',
      '422',
      '429',
      '500',
      '503',
      '507',
    ])
    const feedback = all.find(({ id }) => id === 'giveFeedback')
    expect(feedback?.callers).toBe('With the public key and X-Visitor-Token; or the private key and X-Visitor-Token.')
  })
})
