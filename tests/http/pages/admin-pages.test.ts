import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Services } from '../../../server/app'
import { AppError } from '../../../server/errors'
import type { ApiIds } from '../../support/api/api-endpoint'
import { adminCalls } from '../../support/pages/admin-calls'
import type { PageCall } from '../../support/pages/page-call'
import { type PageWorld, startPageWorld } from '../../support/pages/page-world'

// What the pages of the back office do when a record is missing, and when their data cannot be loaded.

let world: PageWorld
beforeAll(async () => {
  world = await startPageWorld()
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => world?.close())

type Method = keyof Services['admin']

/** What each page reads. */
const reads: Record<string, Method> = {
  'admin+/index': 'userGrowth',
  'admin+/health': 'health',
  'admin+/users': 'list',
  'admin+/organizations': 'list',
  'admin+/collections': 'list',
  'admin+/sources': 'list',
  'admin+/urls': 'list',
  'admin+/agents': 'list',
  'admin+/threads': 'list',
  'admin+/users.$id': 'user',
  'admin+/organizations.$id': 'organization',
  'admin+/organizations.$id_.audit': 'auditLog',
  'admin+/collections.$id': 'collection',
  'admin+/sources.$id': 'source',
  'admin+/urls.$id': 'url',
  'admin+/agents.$id': 'agent',
  'admin+/threads.$id': 'thread',
}

const pages = adminCalls.filter(({ file }) => file !== 'admin+/_layout')

function callOf(file: string): PageCall {
  const call = adminCalls.find((adminCall) => adminCall.file === file)
  if (!call) throw new Error(`There is no page ${file}.`)
  return call
}

it('has a test for each page', () => {
  expect(Object.keys(reads).sort()).toEqual(pages.map(({ file }) => file).sort())
})

// contract 1.12: The back office is read-only
it('has no form', () => {
  expect(adminCalls.map(({ method }) => method)).toEqual(adminCalls.map(() => 'GET'))
})

describe('a page whose data cannot be loaded', () => {
  // contract 2m.22: Load errors show the error message text
  // contract 8e.4: Admin: load errors show the error message text
  it.each(pages.map((call) => [call.path, call] as const))('%s shows the text of the error', async (_path, call) => {
    const method = reads[call.file]
    if (!method) throw new Error(`Nothing is read by ${call.file}.`)
    const entered = await world.enter('platform', call)
    vi.spyOn(world.app.services.admin, method).mockRejectedValue(new Error('The disk is on fire.'))
    const { status, text } = await world.ask(entered, call, world.own, 'data')
    expect(text).toContain('The disk is on fire.')
    expect(status).toBe(500)
  })

  it('shows the message of an expected error with its status', async () => {
    const call = callOf('admin+/users')
    const entered = await world.enter('platform', call)
    const full = new AppError('storage_full', 'The disk is full.')
    vi.spyOn(world.app.services.admin, 'list').mockRejectedValue(full)
    const { status, text } = await world.ask(entered, call, world.own, 'data')
    expect([status, text.includes('The disk is full.')]).toEqual([507, true])
  })
})

describe('a missing record', () => {
  // contract 2m.22: A missing detail record redirects to its list
  // contract 8e.4: Admin: a missing record redirects to the list
  it.each<[file: string, id: keyof ApiIds, list: string, kind: string]>([
    ['users.$id', 'person', 'users', 'user'],
    ['organizations.$id', 'organization', 'organizations', 'organization'],
    ['organizations.$id_.audit', 'organization', 'organizations', 'organization'],
    // As the contract says.
    ['collections.$id', 'collection', 'users', 'collection'],
    ['sources.$id', 'source', 'sources', 'source'],
    ['urls.$id', 'address', 'urls', 'URL'],
    ['agents.$id', 'agent', 'agents', 'agent'],
    ['threads.$id', 'thread', 'threads', 'thread'],
  ])('leads from admin+/%s to a list', async (file, id, list, kind) => {
    const call = callOf(`admin+/${file}`)
    const entered = await world.enter('platform', call)
    const missing = { ...world.own, [id]: '00000000-0000-4000-8000-000000000002' }
    const { location, notifications } = await world.ask(entered, call, missing)
    expect(location).toBe(`/admin/${list}`)
    expect(notifications.map(({ type, title }) => [type, title])).toEqual([['warning', `Couldn't find ${kind}`]])
  })
})
