import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { problemSchema } from '../../../contract/views/problem'
import { type ApiEndpoint, nameOf, pathOf } from '../../support/api/api-endpoint'
import { apiEndpoints } from '../../support/api/api-endpoints'
import { type ApiWorld, type Caller, callers, startApiWorld } from '../../support/api/api-world'

let world: ApiWorld

beforeAll(async () => {
  world = await startApiWorld()
})
afterAll(() => world.close())

const openAiErrorSchema = z.strictObject({
  message: z.string(),
  type: z.string(),
  param: z.string().nullable(),
  code: z.string(),
})
const ranks = ['viewer', 'member', 'admin'] as const

/** The permission matrix in one line. */
function statusFor({ may, status, withKey }: ApiEndpoint, caller: Caller): number {
  if (may === 'everybody') return status
  if (caller === 'guest' || caller === 'expired' || caller === 'revoked') return 401
  if (caller === 'public-key' || caller === 'private-key') {
    // Without the token of its visitor, a thread does not exist.
    if (may === 'visitor') return 404
    if (may === 'private') return caller === 'private-key' ? status : 401
    return may === 'key' ? status : (withKey ?? 401)
  }
  if (may === 'key' || may === 'visitor' || may === 'private') return 401
  if (may === 'anyone') return status
  if (may === 'staff') return caller === 'platform' ? status : 404
  if (caller === 'stranger' || caller === 'platform') return 404
  return ranks.indexOf(caller) >= ranks.indexOf(may) ? status : 403
}

/** Whether pages can make the call with a public key. The key allows their origin; these calls have none. */
function takesKeys({ may, withKey }: ApiEndpoint): boolean {
  return ['key', 'visitor', 'private'].includes(may) || withKey !== undefined
}

describe('the table of operations', () => {
  it('gives each path its methods', async () => {
    const paths = new Set(apiEndpoints.map(({ operation }) => operation.path))
    expect(paths.size).toBeGreaterThan(50)
    for (const route of paths) {
      const rows = apiEndpoints.filter(({ operation }) => operation.path === route)
      const [first] = rows
      const { status, headers } = await world.send('guest', 'OPTIONS', first ? pathOf(first, world.own) : '/')
      expect(status).toBe(204)
      const methods: string[] = [...new Set(rows.map(({ method }) => method))]
      const expected = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS']
      expect(headers.get('allow')?.split(', ').sort(), route).toEqual(expected.sort())
      expect(headers.get('access-control-allow-methods')?.split(', ').sort(), route).toEqual(expected.sort())
    }
  })

  // A second statement of who may what, so that a row cannot change it by accident.
  it('is for whom the contract says', () => {
    const byCallers: Record<string, string> = {}
    for (const { operation, may } of new Map(apiEndpoints.map((row) => [row.operation.id, row])).values()) {
      const key = operation.callers === 'person-or-key' ? `${may} or key` : may
      byCallers[key] = [...(byCallers[key]?.split(' ') ?? []), operation.id].sort().join(' ')
    }
    expect(byCallers).toMatchInlineSnapshot(`
      {
        "admin": "createInvitation deleteAgent deleteThread deleteThreads eraseVisitor getKeychain linkAgent listAuditEvents listInvitations listMembers onboardOrganization removeMember revokeInvitation saveKeychain suggestQuestions updateAgent updateMember updateOrganization",
        "admin or key": "deletePublicThread",
        "anyone": "createOrganization getCurrentUser",
        "everybody": "getDescription getPublishedThread getWidgetSnippet",
        "key": "getPublicAgent publicChat publicSearch simpleChat",
        "member": "cancelSource createAgent createCollection createSource deleteCollection deleteSource ignoreAddress pauseSource previewPage previewSource refreshSource resumeSource retryAddress updateCollection updateSource",
        "private": "createCompletion listModels",
        "staff": "getUserGrowth inspectAddress inspectAgent inspectCollection inspectMessageFragments inspectOrganization inspectSource inspectThread inspectUser listAllAddresses listAllAgents listAllCollections listAllOrganizations listAllSources listAllThreads listAllUsers",
        "viewer": "exportThreads getAgent getCollection getOrganization getSource getSourceFile getThread getUsage listAddressFragments listAddresses listAgents listCollections listMessageFragments listRuns listSources listThreads search watchSource",
        "viewer or key": "chat shareThread unshareThread",
        "visitor": "getVisitorThread giveFeedback",
      }
    `)
  })
})

const scenarios = apiEndpoints.flatMap((endpoint) =>
  callers.map((caller) => ({ endpoint, caller, expected: statusFor(endpoint, caller), name: nameOf(endpoint) })),
)

describe('permissions', () => {
  // contract 6.8: Share thread: not restricted by role
  it.each(scenarios)('$name as $caller: $expected', async ({ endpoint, caller, expected }) => {
    const ids = endpoint.spends ? await world.renewed(world.own, endpoint.spends) : world.own
    const before = await world.stored()
    const response = await world.sendJson(caller, endpoint.method, pathOf(endpoint, ids), endpoint.body?.(ids))

    expect(response.status, response.text).toBe(expected)
    const isStream = expected < 400 && endpoint.events !== undefined
    const kept = isStream ? 'no-cache, no-transform' : 'no-store'
    const isSaved = expected < 400 && endpoint.operation.file === 'application/octet-stream'
    expect(response.headers.get('cache-control')).toBe(isSaved ? 'private, no-store, no-transform' : kept)
    const isOfPage = caller === 'public-key' && takesKeys(endpoint)
    expect(response.headers.get('access-control-allow-origin')).toBe(isOfPage ? null : '*')
    if (expected >= 400 && endpoint.operation.errorFormat === 'openai') {
      const { error } = z.object({ error: openAiErrorSchema }).parse(response.body)
      expect(error.code).toBe('unauthenticated')
      expect(await world.stored()).toBe(before)
    } else if (expected >= 400) {
      const refused = problemSchema.parse(response.body)
      expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
      expect(refused.status).toBe(expected)
      expect(refused.instance).toBe(`urn:uuid:${response.headers.get('x-request-id')}`)
      expect(response.headers.get('www-authenticate')).toBe(expected === 401 ? 'Bearer' : null)
      expect(await world.stored()).toBe(before)
    } else if (endpoint.events) {
      expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
      for (const event of response.events) expect(endpoint.events.safeParse(event).error?.issues).toBeUndefined()
      expect(response.events.at(-1)?.event).toBe('done')
      expect(await world.stored()).toBe(before)
    } else if (endpoint.operation.file) {
      const type = endpoint.operation.file
      expect(response.headers.get('content-type')?.split(';')[0]).toBe(type)
      expect(response.headers.get('content-disposition')).toMatch(/^attachment; /)
      if (isSaved) expect(response.headers.get('content-length')).toBe(String(response.text.length))
      expect(await world.stored()).toBe(before)
    } else if (endpoint.response) {
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(endpoint.response.safeParse(response.body).error?.issues).toBeUndefined()
      if (endpoint.recordsRead) expect(await world.stored()).toContain('content.read')
      else if (endpoint.method === 'GET') expect(await world.stored()).toBe(before)
    } else {
      expect(response.text).toBe('')
      const again = await world.sendJson(caller, endpoint.method, pathOf(endpoint, ids))
      expect(again.status).toBe(404)
    }
  })

  // contract 3a.16: Agent: keychain{allowed_ips, allowed_origins}
  // contract Settings: Provider, key and prompt of an agent are the administrators'
  it("shows an agent's settings to administrators only", async () => {
    const settings = [
      'fragment_limit',
      'fragment_similarity',
      'history_limit',
      'keychain',
      'max_total_output_tokens',
      'model',
      'moderation',
      'prompt',
      'provider',
      'provider_key',
      'translate_questions',
    ]
    const fieldsFor = async (caller: Caller, path: string) => {
      const { body } = await world.send(caller, 'GET', `/v1/${world.own.organization}/agents${path}`)
      const { agent, agents } = body as { agent?: object; agents?: { docs: object[] } }
      return Object.keys(agent ?? agents?.docs[0] ?? {})
    }
    const { agent } = (await world.send('admin', 'GET', `/v1/${world.own.organization}/agents/${world.own.agent}`))
      .body as { agent: { keychain: object } }
    expect(agent.keychain).toEqual({ allowed_ips: expect.any(String), allowed_origins: expect.any(String) })
    for (const path of ['', `/${world.own.agent}`]) {
      expect(await fieldsFor('admin', path)).toEqual(expect.arrayContaining([...settings, 'message_length']))
      for (const caller of ['member', 'viewer'] as const) {
        const fields = await fieldsFor(caller, path)
        expect(fields.filter((field) => settings.includes(field))).toEqual([])
        expect(fields).toContain('message_length')
      }
    }
  })

  it('returns the abilities of each role', async () => {
    const paths = [`/v1/${world.own.organization}/collections`, `/v1/${world.own.organization}/agents`]
    const abilities = async (caller: Caller) => {
      const responses = await Promise.all(paths.map((path) => world.send(caller, 'GET', path)))
      return responses.map(({ body }) => {
        const { collections, agents } = body as Record<string, { docs: { abilities: object }[] } | undefined>
        return (collections ?? agents)?.docs[0]?.abilities
      })
    }
    const collection = (may: boolean) => ({ edit: may, delete: may, addSource: may })
    const agent = (may: boolean) => ({ edit: may, delete: may, link: may, settings: may })
    const others = async (caller: Caller) => {
      const organization = await world.send(caller, 'GET', `/v1/organizations/${world.own.organization}`)
      const thread = await world.send(caller, 'GET', `/v1/${world.own.organization}/threads/${world.own.thread}`)
      const { abilities: ofOrganization } = (organization.body as { organization: { abilities: object } }).organization
      return [ofOrganization, (thread.body as { thread: { abilities: object } }).thread.abilities]
    }
    const of = (manages: boolean, adds: boolean) => [
      {
        edit: manages,
        delete: manages,
        manageMembers: manages,
        readAudit: manages,
        addCollection: adds,
        addAgent: adds,
        deleteThreads: manages,
      },
      { delete: manages, share: true },
    ]
    expect(await others('viewer')).toEqual(of(false, false))
    expect(await others('member')).toEqual(of(false, true))
    expect(await others('admin')).toEqual(of(true, true))
    expect(await abilities('viewer')).toEqual([collection(false), agent(false)])
    expect(await abilities('member')).toEqual([collection(true), agent(false)])
    expect(await abilities('admin')).toEqual([collection(true), agent(true)])
  })
})
