import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { companySizes } from '../../../contract/values/enumerations'
import { jobs } from '../../../db/schema/jobs'
import { invitations, organizations } from '../../../db/schema/organizations'
import { SQLite } from '../../../db/sqlite-driver'
import { system } from '../../../server/actor'
import { findInvitation } from '../../../server/identity/links/invitations'
import { hashToken } from '../../../server/tokens'
import { type ApiWorld, jsonInit, startApiWorld } from '../../support/api/api-world'
import { startTestWorkers } from '../../support/app'
import { createPerson } from '../../support/people/people'

let world: ApiWorld

beforeAll(async () => {
  world = await startApiWorld()
})
afterAll(() => world.close())

const remove = (organization: string, name: string, actor = system) =>
  world.app.services.organizationDeletion.remove(actor, organization, { name })

async function runJobs(): Promise<void> {
  const runner = await startTestWorkers(world.app)
  await runner.idle()
  await runner.stop()
}

/** The number of rows that name one of the ids by table, also in columns that no foreign key checks. */
function rowsNaming(ids: string[]): Record<string, number> {
  const connection = new SQLite(join(world.app.config.dataDir, 'sitelore.db'), { readonly: true })
  // The virtual tables show the rows of their own tables, which are among the others.
  const names = connection
    .prepare(`select name from sqlite_master where type = 'table' and sql not like 'create virtual %'`)
    .pluck()
    .all() as string[]
  const found: Record<string, number> = {}
  for (const name of names) {
    const rows = connection.prepare(`select * from "${name}"`).raw().all()
    const named = rows.map((row) => JSON.stringify(row)).filter((row) => ids.some((id) => row.includes(id)))
    if (named.length > 0) found[name] = named.length
  }
  connection.close()
  return found
}

it('is for administrators who name the organization', async () => {
  const { organization } = world.own
  for (const role of ['member', 'viewer'] as const)
    await expect(
      remove(organization, 'Fennel', await createPerson(world.app, { [organization]: role })),
    ).rejects.toMatchObject({ code: 'forbidden' })
  for (const staff of [true, false])
    await expect(remove(organization, 'Fennel', await createPerson(world.app, {}, { staff }))).rejects.toMatchObject({
      code: 'not_found',
    })
  await expect(remove(organization, 'fennel')).rejects.toMatchObject({
    code: 'invalid_input',
    details: { fields: { name: ['This is not the name of the organization.'] } },
  })
  expect((await world.send('viewer', 'GET', `/v1/organizations/${organization}`)).status).toBe(200)
})

it('changes and adds nothing between the deletion and its job', async () => {
  const { services, db } = world.app
  const organizationId = (await services.organizations.create(system, { name: 'Dill', entity_name: '' })).id
  const agent = await services.agents.create(system, organizationId, {
    name: 'Agent',
    description: '',
    useDefaults: false,
  })
  const ref = { organizationId, agentId: agent.id }
  const invitation = { email: 'grace@example.test', role: 'viewer' as const }
  const { link } = await services.invitations.create(system, organizationId, invitation)
  const row = await db.read.select().from(invitations).where(eq(invitations.organizationId, organizationId))
  await remove(organizationId, 'Dill')

  const gone = { code: 'not_found' }
  await expect(services.invitations.create(system, organizationId, invitation)).rejects.toMatchObject(gone)
  await expect(services.keychains.save(system, ref, { regenerate: true })).rejects.toMatchObject(gone)
  await expect(services.organizations.update(system, organizationId, { name: 'Basil' })).rejects.toMatchObject(gone)
  const otherText = 'other: x'
  const answers = {
    goals: ['chat_on_website'],
    sector: otherText,
    position: otherText,
    size: companySizes[0],
    source: otherText,
  }
  await expect(services.organizations.onboard(system, organizationId, answers)).rejects.toMatchObject(gone)
  // An invitation that a deletion could not see.
  await db.write((tx) => tx.insert(invitations).values(row))
  const token = new URL(link ?? '').searchParams.get('token') ?? ''
  expect(await findInvitation(db.read, hashToken(token))).toBeNull()
})

it('ends every access at once, and leaves nothing of it and everything of others', async () => {
  const { app, own, sibling, foreign } = world
  const { organization, agent, thread, collection, source, address, message, invitation, upload } = own
  const ids = [organization, collection, source, address, agent, thread, message, invitation, upload]
  ids.push(sibling.collection, sibling.source, sibling.agent, sibling.thread)
  const keyPath = `/v1/${organization}/agents/${agent}/key`
  const { body } = await world.sendJson('admin', 'PUT', keyPath, { regenerate: true })
  const { private_key: key } = (body as { created: { private_key: string } }).created
  const ask = () =>
    world.send('guest', 'POST', '/v1/chat/simple', {
      ...jsonInit(JSON.stringify({ prompt: 'Which lamp is bright?' })),
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    })
  const shared = () => world.send('guest', 'GET', `/v1/public/threads/published/${thread}`)
  expect([(await ask()).status, (await shared()).status]).toEqual([200, 200])
  await runJobs()
  const foreignRows = rowsNaming([foreign.organization, foreign.collection, foreign.thread])
  expect(Object.keys(foreignRows)).toEqual(
    expect.arrayContaining(['addresses', 'fragments', 'threads', 'text_segments']),
  )
  const folder = join(app.config.dataDir, 'files')
  const filesBefore = readdirSync(folder, { recursive: true }).length
  const search = (where: typeof own, caller: 'stranger' | 'viewer') =>
    world.send(caller, 'GET', `/v1/${where.organization}/search?collectionId=${where.collection}&query=lamp`)
  const found = (await search(foreign, 'stranger')).body

  // A run that waits, and one in progress.
  await world.renewed(own, 'source')
  await remove(organization, 'Fennel')
  expect([(await ask()).status, (await shared()).status]).toEqual([401, 404])
  for (const caller of ['viewer', 'member', 'admin'] as const) {
    expect((await world.send(caller, 'GET', `/v1/organizations/${organization}`)).status).toBe(404)
    expect((await search(own, 'viewer')).status).toBe(404)
  }
  await expect(remove(organization, 'Fennel')).rejects.toMatchObject({ code: 'not_found' })
  await expect(app.services.organizations.get(system, organization)).rejects.toMatchObject({ code: 'not_found' })
  const left = await app.db.read.select({ kind: jobs.kind }).from(jobs).where(eq(jobs.organizationId, organization))
  expect(left).toEqual([])

  await runJobs()
  // The audit log keeps who deleted it.
  expect(rowsNaming(ids)).toEqual({ audit_events: 1 })
  expect(await app.db.read.$count(organizations)).toBe(1)
  expect(rowsNaming([foreign.organization, foreign.collection, foreign.thread])).toEqual(foreignRows)
  expect((await search(foreign, 'stranger')).body).toEqual(found)
  expect(existsSync(folder)).toBe(true)
  expect(readdirSync(folder, { recursive: true })).toHaveLength(filesBefore - 2)
})

it('leaves people without another organization, who create one next', async () => {
  const { app } = world
  const ada = await createPerson(app)
  const { id } = await app.services.organizations.create(ada, { name: 'Brief', entity_name: '' })
  await remove(id, 'Brief')
  expect((await app.services.accounts.currentUser(ada)).org_connections).toEqual([])
  // A deleted organization does not count among those that a person may create.
  for (const name of ['1', '2', '3', '4', '5']) await app.services.organizations.create(ada, { name, entity_name: '' })
  await expect(app.services.organizations.create(ada, { name: '6', entity_name: '' })).rejects.toMatchObject({
    code: 'quota_exceeded',
  })
})
