import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OrganizationRole } from '../../../contract/values/enumerations'
import { messages, threads } from '../../../db/schema/threads'
import { system } from '../../../server/actor'
import { startSession } from '../../support/people/credentials'
import { createPerson } from '../../support/people/people'
import { startWebSite, type WebSite } from '../../support/web/web-site'

// The page of a shared thread is the same for everybody, whatever their role in its organization.

const readers = ['guest', 'stranger', 'viewer', 'member', 'admin'] as const
const question = 'Which lamp is bright?'
const answer = 'The Storm 40 is bright.'
const passage = 'A passage that only the inspection shows.'

let web: WebSite
let organizationId = ''
let threadId = ''
const cookies = new Map<string, string>()

beforeAll(async () => {
  web = await startWebSite({ 'thread/:threadId': await import('../../../app/routes/_public+/thread.$threadId') })
  const { app } = web
  const createOrganization = async (name: string) =>
    (await app.services.organizations.create(system, { name, entity_name: '' })).id
  organizationId = await createOrganization('Lamps')
  const elsewhere = await createOrganization('Elsewhere')
  const roles: Record<string, OrganizationRole> = { viewer: 'viewer', member: 'member', admin: 'admin' }
  for (const reader of readers) {
    if (reader === 'guest') continue
    const role = roles[reader]
    const place = role ? organizationId : elsewhere
    const person = await createPerson(app, { [place]: role ?? 'admin' })
    cookies.set(reader, await startSession(app, person, place))
  }
  threadId = await app.db.write(async (tx) => {
    const [thread] = await tx.insert(threads).values({ organizationId, title: question }).returning({ id: threads.id })
    if (!thread) throw new Error('The thread was not stored.')
    const of = { threadId: thread.id, status: 2 }
    const url = 'https://lamps.example/'
    const fragments = [{ id: 'f', score: 0.9, url, link: url, title: 'Lamps', headings: [], content: passage }]
    await tx.insert(messages).values([
      { ...of, role: 'user', content: question },
      { ...of, role: 'agent', content: answer, model: 'gpt-4.1', fragments },
    ])
    return thread.id
  })
})
afterAll(() => web?.close())

async function open(reader: string): Promise<{ status: number; text: string }> {
  const headers = { cookie: cookies.get(reader) ?? '' }
  const response = await fetch(`${web.origin}/thread/${threadId}.data`, { headers })
  return { status: response.status, text: await response.text() }
}

it.each(readers)('%s reads it while it is shared, without its inspection', async (reader) => {
  const ref = { organizationId, threadId }
  await web.app.services.sharedThreads.share(system, ref)
  const shown = await open(reader)
  expect(shown.status).toBe(200)
  for (const text of [question, answer]) expect(shown.text).toContain(text)
  for (const hidden of [passage, 'gpt-4.1']) expect(shown.text).not.toContain(hidden)

  await web.app.services.sharedThreads.unshare(system, ref)
  const hidden = await open(reader)
  expect(hidden.status).toBe(404)
  expect(hidden.text).not.toContain(answer)
})
