import { organizations } from '../../../db/schema/organizations'
import { system } from '../../../server/actor'
import type { PageCall } from './page-call'

const refusal = 'You need the Administrator role for this.'
const answers = {
  goals: 'just_trying',
  sector: 'retail',
  position: 'sales',
  size: 'Solo (1)',
  source: 'search',
}

const dashboard = { method: 'POST', file: 'dashboard+/_layout', path: '/dashboard' } as const
const members = { method: 'POST', file: 'dashboard+/members', path: '/dashboard/members', may: 'admin' } as const
const onboarding = { method: 'POST', file: 'onboarding+/index', path: '/onboarding?index', place: 'waiting' } as const

/** The dashboard, the organization, its members and its onboarding. */
export const organizationCalls: PageCall[] = [
  { method: 'GET', file: 'dashboard+/_layout', path: '/dashboard', may: 'viewer' },
  { method: 'GET', file: 'dashboard+/index', path: '/dashboard', may: 'viewer' },
  { ...dashboard, may: 'admin', fields: (_, unique) => ({ name: `Renamed ${unique}`, entity_name: '' }) },
  {
    ...dashboard,
    intent: 'test-connection',
    may: 'admin',
    fields: () => ({ default_agent_provider: 'openai', default_agent_model: 'gpt-4.1-nano' }),
    // A success notes the accepted key, which the test before has noted already.
    prepare: async ({ app }) => {
      for (const { id } of await app.db.read.select({ id: organizations.id }).from(organizations))
        await app.services.connectionTests.testOrganization(system, id, { provider: 'openai', model: 'gpt-4.1-nano' })
    },
    status: 200,
    storesNothing: { refusal },
  },
  { ...dashboard, intent: 'leave-organization', may: 'viewer', place: 'fresh' },
  {
    ...dashboard,
    intent: 'delete-organization',
    may: 'admin',
    place: 'fresh',
    fields: () => ({ name: 'Of one caller' }),
  },
  {
    ...dashboard,
    intent: 'create-organization',
    may: 'anyone',
    spendsCaller: true,
    fields: (_, unique) => ({ name: `New ${unique}` }),
  },
  { method: 'GET', file: 'dashboard+/organization', path: '/dashboard/organization', may: 'everybody', status: 302 },
  {
    method: 'POST',
    file: 'dashboard+/organization',
    path: '/dashboard/organization',
    may: 'viewer',
    fields: ({ organization }) => ({ organizationId: organization }),
    storesNothing: true,
  },
  {
    method: 'POST',
    file: 'dashboard+/index',
    path: '/dashboard?index',
    intent: 'add-site',
    may: 'member',
    place: 'fresh',
    fields: (_, unique) => ({ url: `site-${unique}.example` }),
  },
  {
    method: 'POST',
    file: 'dashboard+/index',
    path: '/dashboard?index',
    intent: 'ask',
    // Opens the agent that is there.
    may: 'viewer',
    storesNothing: true,
  },
  { method: 'GET', file: 'dashboard+/try-manual', path: '/dashboard/try-manual', may: 'everybody', status: 302 },
  { method: 'POST', file: 'dashboard+/try-manual', path: '/dashboard/try-manual', may: 'member', place: 'fresh' },
  { method: 'GET', file: 'dashboard+/settings', path: '/dashboard/settings', may: 'viewer' },
  {
    method: 'POST',
    file: 'dashboard+/settings',
    path: '/dashboard/settings',
    intent: 'require-second-factor',
    may: 'admin',
    place: 'fresh',
    fields: () => ({ required: 'on' }),
  },
  { method: 'GET', file: 'dashboard+/settings_.provider', path: '/dashboard/settings/provider', may: 'viewer' },
  { method: 'GET', file: 'dashboard+/settings_.data', path: '/dashboard/settings/data', may: 'viewer' },
  {
    method: 'POST',
    file: 'dashboard+/settings_.data',
    path: '/dashboard/settings/data',
    intent: 'save-retention',
    may: 'admin',
    fields: (_, unique) => ({
      thread_days: String((Number(unique) % 700) + 1),
      visitor_data_days: '',
      run_days: '',
      audit_days: '90',
    }),
  },
  {
    method: 'POST',
    file: 'dashboard+/settings_.data',
    path: '/dashboard/settings/data',
    intent: 'erase-visitor',
    may: 'admin',
    spends: 'thread',
    fields: ({ thread }) => ({ by: 'thread', value: thread, confirm: 'on' }),
  },
  { method: 'GET', file: 'dashboard+/settings_.usage', path: '/dashboard/settings/usage', may: 'viewer' },
  { method: 'GET', file: 'dashboard+/places', path: '/dashboard/places?q=a', may: 'viewer' },
  { method: 'GET', file: 'dashboard+/audit', path: '/dashboard/audit', may: 'admin' },

  { method: 'GET', file: 'dashboard+/members', path: '/dashboard/members', may: 'admin' },
  {
    ...members,
    intent: 'invite',
    fields: (_, unique) => ({ email: `invited-${unique}@example.com`, role: 'viewer' }),
  },
  {
    ...members,
    intent: 'revoke-invitation',
    spends: 'invitation',
    fields: ({ invitation }) => ({ id: invitation }),
  },
  {
    ...members,
    intent: 'change-role',
    spends: 'person',
    fields: ({ person }) => ({ id: person, role: 'member' }),
  },
  { ...members, intent: 'remove-member', spends: 'person', fields: ({ person }) => ({ id: person }) },

  { method: 'GET', file: 'onboarding+/index', path: '/onboarding', may: 'viewer', place: 'waiting' },
  { ...onboarding, may: 'admin', fields: () => answers },
  {
    ...onboarding,
    intent: 'create-organization',
    may: 'anyone',
    fields: (_, unique) => ({ name: `New ${unique}` }),
  },
  { ...onboarding, intent: 'leave-organization', may: 'viewer' },
  { ...onboarding, intent: 'delete-organization', may: 'admin', fields: () => ({ name: 'Of one caller' }) },
  { method: 'GET', file: 'onboarding+/organization', path: '/onboarding/organization', may: 'anyone', place: 'none' },
  {
    method: 'POST',
    file: 'onboarding+/organization',
    path: '/onboarding/organization',
    may: 'anyone',
    place: 'none',
    fields: (_, unique) => ({ name: `New ${unique}` }),
  },
]
