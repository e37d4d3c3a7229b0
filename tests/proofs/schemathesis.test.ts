import { spawn } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unlimitedPlan } from '../../contract/organizations/plan'
import { system } from '../../server/actor'
import { type ApiWorld, type Caller, startApiWorld } from '../support/api/api-world'

// Needs a Python program, so `npm run schemathesis` says where it is.
const {
  SCHEMATHESIS: command = '',
  SCHEMATHESIS_SEED: seed = '1',
  SCHEMATHESIS_EXAMPLES: examples = '20',
} = process.env

/**
 * Not among them: negative_data_rejection (a list takes a page or size that makes no sense as the default),
 * positive_data_acceptance (schemas do not say everything, such as which languages there are), and missing_required_header
 * (without the token of its visitor, a thread does not exist: 404).
 */
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'unsupported_method',
  'allow_header_conformance',
  'ignored_auth',
]

interface Pass {
  name: string
  caller: Caller
  /** Which operations; all by default. */
  include?: string[]
  exclude?: string[]
  /** Values of parameters; random ones without. */
  ids?: Record<string, string>
  headers?: Record<string, string>
}

const maxPassMs = 10 * 60_000
const passCount = 7

let world: ApiWorld
let visitor: { threadId: string; visitorToken: string; message: { id: string } }

beforeAll(async () => {
  if (!command) return
  world = await startApiWorld()
  for (const { organization } of [world.own, world.foreign])
    await world.app.services.plans.assign(system, organization, unlimitedPlan)
  const { body } = await world.sendJson('private-key', 'POST', '/v1/public/chat', { prompt: 'Which lamp is bright?' })
  visitor = body as typeof visitor
})
afterAll(() => world?.close())

describe.skipIf(!command)(`requests from the description, with seed ${seed}`, () => {
  it('get described answers only', { timeout: passCount * maxPassMs }, async () => {
    const failed: string[] = []
    for (const pass of passes()) {
      const { code, output } = await run(pass)
      console.log(`${pass.name}: ${summaryOf(output)}`)
      if (code !== 0) failed.push(`${pass.name}\n${output}`)
    }
    expect(failed.join('\n')).toBe('')
  })
})

/** What changes or deletes the ids comes after what reads them. */
function passes(): Pass[] {
  const { own } = world
  const ids = {
    orgId: own.organization,
    organizationId: own.organization,
    collectionId: own.collection,
    sourceId: own.source,
    addressId: own.address,
    agentId: own.agent,
    threadId: own.thread,
    messageId: own.message,
    userId: own.person,
    invitationId: own.invitation,
  }
  const ofKeys = ['--include-tag', 'Visitors', '--include-operation-id', 'simpleChat', '--include-operation-id', 'chat']
  const others = ['--exclude-tag', 'Back office', '--exclude-tag', 'Visitors']
  // These end what others need: the run that is idle, the keys, the link.
  const later = ['refreshSource', 'retryAddress', 'saveKeychain'].flatMap((id) => ['--exclude-operation-id', id])
  return [
    { name: 'reads', caller: 'admin', include: ['--include-method', 'GET'], exclude: others, ids },
    {
      name: 'visitors',
      caller: 'private-key',
      include: ofKeys,
      ids: { ...ids, threadId: visitor.threadId, messageId: visitor.message.id },
      headers: { 'X-Visitor-Token': visitor.visitorToken },
    },
    { name: 'back office', caller: 'platform', include: ['--include-tag', 'Back office'] },
    {
      name: 'changes',
      caller: 'admin',
      exclude: [...others, '--exclude-method', 'GET', '--exclude-method', 'DELETE', ...later],
      ids,
    },
    { name: 'unknown ids', caller: 'admin' },
    { name: 'without a token', caller: 'guest' },
    {
      name: 'runs, keys and deletions',
      caller: 'admin',
      // A refresh waits for a worker, of which this server has none, and answers 504.
      exclude: [...others, '--exclude-method', 'GET', '--exclude-operation-id', 'refreshSource'],
      ids,
    },
  ]
}

async function run({ caller, include = [], exclude = [], ids = {}, headers = {} }: Pass) {
  const folder = mkdtempSync(join(tmpdir(), 'schemathesis-'))
  const config = join(folder, 'schemathesis.toml')
  const values = Object.entries(ids).map(([name, value]) => `"path.${name}" = ${JSON.stringify(value)}`)
  writeFileSync(config, `[parameters]\n${values.join('\n')}\n`)
  const { bearer } = world.credentials[caller]
  const all = { ...(bearer && { Authorization: `Bearer ${bearer}` }), ...headers }
  const input = Object.entries(all).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const options = ['--phases', 'examples,coverage,fuzzing', '--checks', checks.join(','), '--max-examples', examples]
  const limits = ['--seed', seed, '--request-timeout', '30', '--suppress-health-check', 'all', '--continue-on-failure']
  const url = [`${world.listening}/v1/openapi.json`, '--url', world.listening]
  const child = spawn(
    command,
    ['--config-file', config, 'run', ...url, ...options, ...limits, ...input, ...include, ...exclude, '--no-color'],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], timeout: maxPassMs },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { code, output }
}

function summaryOf(output: string): string {
  const counted = /^\s*(\d+ generated.*)$/m.exec(output)?.[1] ?? 'no test cases'
  const selected = /Selected: (\S+)/.exec(output)?.[1] ?? '?'
  return `${counted}; operations ${selected}`
}
