import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { system } from '../../../server/actor'
import { nameOfCall, type PageCall } from '../../support/pages/page-call'
import { pageCalls } from '../../support/pages/page-calls'
import { type PageWorld, startPageWorld } from '../../support/pages/page-world'

// A tab that was opened before another organization was selected in another tab. Whatever is sent from it is refused.

/** Routes whose forms do not depend on the selected organization. */
const exemptRoutes = new Map([
  ['dashboard+/account', 'changes the own account'],
  ['dashboard+/account_.picture', 'changes the own account'],
  ['dashboard+/organization', 'selects an organization, which it names'],
  ['onboarding+/organization', 'creates the first organization'],
])
const isExempt = ({ file }: PageCall) => exemptRoutes.has(file) || file.startsWith('_public+/')

/** Code that sends to these routes alone, or that sends the hidden field in its own way. */
const exemptFiles = new Map([
  ['components/account/email-form.tsx', 'changes the own account'],
  ['components/account/notices-card.tsx', 'changes the own account'],
  ['components/account/password-card.tsx', 'changes the own account'],
  ['components/account/picture-form.tsx', 'changes the own account'],
  ['components/account/profile-card.tsx', 'changes the own account'],
  ['components/account/sessions-card.tsx', 'changes the own account'],
  ['components/account/second-factor/authenticator-dialog.tsx', 'changes the own account'],
  ['components/account/second-factor/password-dialog.tsx', 'changes the own account'],
  ['components/account/second-factor/passkey-dialog.tsx', 'changes the own account'],
  ['components/account/token-dialog.tsx', 'changes the own account'],
  ['components/agents/suggestion-fields.tsx', 'sends the fields of the form around it'],
  ['components/agents/test-connection.tsx', 'sends the fields of the form around it'],
  ['components/keys/call-examples.tsx', 'shows code'],
  ['components/onboarding/onboarding-frame.tsx', 'logs out'],
  ['components/public-header.tsx', 'logs out'],
  ['components/search/use-smart-search.ts', 'calls the API with the key of the agent'],
  ['components/shell/organization-choices.tsx', 'selects an organization, which it names'],
  ['components/shell/sidebar-toggle.tsx', 'sets a cookie of the browser'],
  ['components/shell/theme-menu.tsx', 'sets a cookie of the browser'],
  ['components/shell/top-bar.tsx', 'logs out'],
  ['components/sources/files/upload-file.ts', 'sends to the address of use-upload.ts'],
  ['components/sources/preview/use-page-preview.ts', 'sends the fields of the form around it'],
  ['components/sources/preview/use-preview.ts', 'sends the fields of the form around it'],
  ['components/ui/browser/network.ts', 'asks whether the server responds'],
  ['components/ui/browser/session.ts', 'asks whether the person is signed in'],
  ['routes/_public+/removed.tsx', 'selects an organization, which it names'],
  ['routes/_public+/second-factor.tsx', 'selects an organization, which it names'],
  ['routes/onboarding+/organization.tsx', 'creates the first organization'],
])

describe('the code of the pages', () => {
  const app = fileURLToPath(new URL('../../../app/', import.meta.url))
  const sending = /method="post"|method: 'post'|\bfetch\(|XMLHttpRequest/i
  const files = readdirSync(app, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.(test|server)\.tsx?$/.test(file))
    .map((file) => ({ file, code: readFileSync(app + file, 'utf8') }))
    .filter(({ code }) => sending.test(code))

  it('names the organization in each form and request', () => {
    const unnamed = files.filter(({ code }) => !/ShownOrganizationInput|useShownOrganization/.test(code))
    const hint = 'Use OrganizationForm, or say here why the organization does not matter'
    expect(unnamed.map(({ file }) => file).sort(), hint).toEqual([...exemptFiles.keys()].sort())
  })
})

describe('a request from a stale tab', () => {
  let world: PageWorld
  beforeAll(async () => {
    world = await startPageWorld()
  })
  afterAll(() => world?.close())

  const guarded = pageCalls.filter((call) => call.method === 'POST' && !isExempt(call))
  it.each(guarded.map((call) => [nameOfCall(call), call] as const))('%s is refused', async (_name, call) => {
    await call.prepare?.(world, world.own)
    const entered = await world.enter('admin', call)
    const before = await world.stored()
    const stale = await world.ask(entered, call, world.own, 'page', world.foreign.organization)
    const unnamed = await world.ask({ ...entered, organization: null }, call, world.own)
    expect([stale.status, unnamed.status]).toEqual([409, 400])
    expect(await world.stored()).toBe(before)
    const { text } = await world.ask(entered, call, world.own, 'data', world.foreign.organization)
    const isJson = /(upload|preview)$/.test(call.path)
    expect(isJson ? stale.text : text).toContain('You switched to another organization. Reload the page.')
  })

  it('covers all forms', () => expect(guarded.length).toBeGreaterThan(40))

  it.each([
    ['/dashboard', 'Renamed', { name: 'Renamed', entity_name: '' }],
    ['/dashboard/members', 'invited@example.com', { intent: 'invite', email: 'invited@example.com', role: 'viewer' }],
    ['/dashboard/collections', 'New docs', { intent: 'create-collection', name: 'New docs', description: '' }],
  ])(
    'makes %s change the organization that the tab shows once this is selected again',
    async (path, change, values) => {
      const call = pageCalls.find((known) => known.method === 'POST' && known.path === path) ?? expect.fail(path)
      const { intent, ...fields } = { intent: undefined, ...values }
      const filled: PageCall = { ...call, intent, fields: () => fields }
      const entered = await world.enter('admin', filled)
      const { organization } = world.own
      expect((await world.ask(entered, filled, world.own, 'page', world.foreign.organization)).status).toBe(409)
      expect(await namesIn(organization)).not.toContain(change)
      expect((await world.ask(entered, filled, world.own)).status).toBe(303)
      expect(await namesIn(organization)).toContain(change)
      expect(await namesIn(world.foreign.organization)).not.toContain(change)
    },
  )

  async function namesIn(id: string): Promise<string> {
    const { organizations, collections, invitations } = world.app.services
    const page = { page: 1, limit: 100 }
    const known = await Promise.all([
      organizations.get(system, id),
      collections.list(system, id, page),
      invitations.list(system, id, page),
    ])
    return JSON.stringify(known)
  }
})
