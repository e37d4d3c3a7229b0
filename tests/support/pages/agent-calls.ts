import { system } from '../../../server/actor'
import type { ApiIds } from '../api/api-endpoint'
import { pngPicture } from '../files/pictures'
import type { PageCall } from './page-call'

const refusal = 'You need the Administrator role for this.'
const list = { method: 'POST', file: 'dashboard+/agents', path: '/dashboard/agents' } as const
const agent = { file: 'dashboard+/agent+/$agentId', path: '/dashboard/agent/{agent}' } as const
const chat = { file: 'dashboard+/agent+/$agentId._index', path: '/dashboard/agent/{agent}' } as const
const settings = { file: 'dashboard+/agent+/$agentId.ai', path: '/dashboard/agent/{agent}/ai' } as const
const api = { file: 'dashboard+/agent+/$agentId.api', path: '/dashboard/agent/{agent}/api' } as const
const logo = { file: 'dashboard+/agent+/$agentId_.logo', path: '/dashboard/agent/{agent}/logo' } as const
const thread = { file: 'dashboard+/threads.$threadId', path: '/dashboard/threads/{thread}' } as const
const ofAgent = { method: 'POST', ...agent, may: 'admin' } as const
const onThread = { method: 'POST', ...thread, spends: 'thread' } as const
const onOpenThread = {
  method: 'POST',
  ...chat,
  path: '/dashboard/agent/{agent}?index',
  spends: 'thread',
  fields: ({ thread: id }: ApiIds) => ({ thread: id }),
} as const
const edited = (unique: string) => ({ name: `Helper ${unique}`, description: '' })
const shared: PageCall['prepare'] = ({ app }, { organization, thread: threadId }) =>
  app.services.sharedThreads.share(system, { organizationId: organization, threadId })
const withKeys: PageCall['prepare'] = ({ app }, { organization, agent: agentId }) =>
  app.services.keychains.save(
    system,
    { organizationId: organization, agentId },
    { regenerate: false, allowedOrigins: 'https://lamps.example' },
  )
const form = {
  provider: 'openai',
  model: 'gpt-4.1-nano',
  fragment_similarity: '0.3',
  fragment_limit: '10',
  max_total_output_tokens: '1024',
  history_limit: '5',
  message_length: '512',
}

/** Agents, the chat with them, and threads. */
export const agentCalls: PageCall[] = [
  { method: 'GET', file: 'dashboard+/agents', path: '/dashboard/agents', may: 'viewer' },
  { ...list, may: 'member', intent: 'create-agent', fields: (_, unique) => edited(unique) },
  {
    ...list,
    may: 'admin',
    intent: 'edit-agent',
    fields: ({ agent: id }, unique) => ({ id, ...edited(unique) }),
  },
  {
    ...list,
    may: 'admin',
    intent: 'archive-agent',
    spends: 'agent',
    fields: ({ agent: id }) => ({ id }),
  },
  {
    ...list,
    may: 'admin',
    intent: 'restore-agent',
    spends: 'agent',
    prepare: ({ app }, { organization: organizationId, agent: agentId }) =>
      app.services.agents.update(system, { organizationId, agentId }, { archived: true }),
    fields: ({ agent: id }) => ({ id }),
  },
  { ...list, may: 'admin', intent: 'delete-agent', spends: 'agent', fields: ({ agent: id }) => ({ id }) },
  {
    ...list,
    may: 'admin',
    intent: 'link-collection',
    spends: 'agent',
    fields: ({ agent: id, collection }) => ({ id, collectionId: collection }),
  },

  { method: 'GET', ...agent, may: 'viewer' },
  { ...ofAgent, may: 'member', intent: 'create-agent', ignoresPath: true, fields: (_, unique) => edited(unique) },
  { ...ofAgent, intent: 'edit-agent', fields: (_, unique) => edited(unique) },
  { ...ofAgent, intent: 'archive-agent', spends: 'agent' },
  {
    ...ofAgent,
    intent: 'restore-agent',
    spends: 'agent',
    prepare: ({ app }, { organization: organizationId, agent: agentId }) =>
      app.services.agents.update(system, { organizationId, agentId }, { archived: true }),
  },
  { ...ofAgent, intent: 'delete-agent', spends: 'agent' },
  {
    ...ofAgent,
    intent: 'link-collection',
    spends: 'agent',
    fields: ({ collection }) => ({ collectionId: collection }),
  },

  { method: 'GET', ...chat, path: '/dashboard/agent/{agent}?thread={thread}', may: 'viewer' },
  { ...onOpenThread, may: 'viewer', intent: 'share-thread' },
  { ...onOpenThread, may: 'viewer', intent: 'unshare-thread', prepare: shared },
  { ...onOpenThread, may: 'admin', intent: 'delete-thread' },
  {
    method: 'GET',
    file: 'dashboard+/agent+/$agentId_.chat',
    path: '/dashboard/agent/{agent}/chat',
    may: 'everybody',
    status: 302,
  },
  {
    method: 'POST',
    file: 'dashboard+/agent+/$agentId_.chat',
    path: '/dashboard/agent/{agent}/chat',
    may: 'viewer',
    fields: () => ({ prompt: 'Which lamp is bright?' }),
  },
  // Members and viewers read 'Not available'.
  { method: 'GET', ...settings, may: 'viewer' },
  {
    method: 'POST',
    ...settings,
    may: 'admin',
    fields: (_, unique) => ({ ...form, prompt: `Answer briefly, ${unique}.` }),
  },
  {
    method: 'POST',
    ...settings,
    may: 'admin',
    intent: 'test-connection',
    fields: () => ({ provider: 'openai', model: 'gpt-4.1-nano' }),
    // A success notes the accepted key, which the test before has noted already.
    prepare: ({ app }, { organization }) =>
      app.services.connectionTests.testOrganization(system, organization, {
        provider: 'openai',
        model: 'gpt-4.1-nano',
      }),
    status: 200,
    storesNothing: { refusal },
  },
  // The world's agent has no fragments, so that its model is not asked.
  {
    method: 'POST',
    ...settings,
    may: 'admin',
    intent: 'suggest-questions',
    fields: () => ({}),
    status: 200,
    storesNothing: { refusal },
  },
  {
    method: 'POST',
    ...logo,
    may: 'admin',
    upload: { field: 'logo', name: 'logo.png', content: () => pngPicture },
  },
  { method: 'POST', ...logo, may: 'admin', intent: 'remove', fields: () => ({}) },
  { method: 'GET', ...logo, may: 'everybody', status: 302 },
  {
    method: 'GET',
    file: '_public+/logo.$agentId',
    path: '/logo/{agent}',
    may: 'everybody',
    prepare: ({ app }, { organization: organizationId, agent: agentId }) =>
      app.services.logos.save(system, { organizationId, agentId }, pngPicture),
  },
  {
    method: 'GET',
    file: '_public+/icon.agent.$agentId.$host',
    path: '/icon/agent/{agent}/lamps.example',
    may: 'everybody',
  },
  {
    method: 'GET',
    file: '_public+/icon.collection.$collectionId.($host)',
    path: '/icon/collection/{collection}/lamps.example',
    may: 'everybody',
  },
  {
    method: 'GET',
    file: '_public+/icon.thread.$threadId.$host',
    path: '/icon/thread/{thread}/lamps.example',
    may: 'everybody',
  },
  { method: 'GET', ...api, may: 'viewer' },
  { method: 'POST', ...api, may: 'admin', intent: 'create-keychain', spends: 'agent' },
  {
    method: 'POST',
    ...api,
    may: 'admin',
    intent: 'save-keychain',
    spends: 'agent',
    fields: () => ({ allowedOrigins: '', allowedIps: '', rateLimit: '60', dailyMessages: '' }),
  },
  {
    method: 'POST',
    ...api,
    may: 'admin',
    intent: 'regenerate-keys',
    spends: 'agent',
    fields: () => ({ keys: 'both', confirm: 'on' }),
  },
  {
    method: 'POST',
    ...api,
    may: 'admin',
    intent: 'allow-origin',
    spends: 'agent',
    prepare: withKeys,
    fields: () => ({ origin: 'https://shop.example' }),
  },
  { method: 'GET', file: 'dashboard+/agent+/$agentId.widget', path: '/dashboard/agent/{agent}/widget', may: 'viewer' },
  {
    method: 'POST',
    file: 'dashboard+/agent+/$agentId.widget',
    path: '/dashboard/agent/{agent}/widget',
    may: 'admin',
    intent: 'check-widget',
    fields: () => ({ site: 'http://127.0.0.1:9/' }),
    status: 200,
    storesNothing: { refusal },
  },
  {
    method: 'GET',
    file: 'dashboard+/agent+/$agentId.demo-widget',
    path: '/dashboard/agent/{agent}/demo-widget',
    may: 'viewer',
  },
  {
    method: 'GET',
    file: 'dashboard+/agent+/$agentId.demo-search',
    path: '/dashboard/agent/{agent}/demo-search?q=lamp',
    may: 'viewer',
  },

  { method: 'GET', file: 'dashboard+/threads', path: '/dashboard/threads', may: 'viewer' },
  { method: 'GET', file: 'dashboard+/threads._index', path: '/dashboard/threads', may: 'viewer' },
  { method: 'GET', ...thread, may: 'viewer' },
  { ...onThread, may: 'viewer', intent: 'share-thread' },
  { ...onThread, may: 'viewer', intent: 'unshare-thread', prepare: shared },
  { ...onThread, may: 'admin', intent: 'delete-thread' },
  { ...onThread, may: 'admin', intent: 'erase-visitor' },
  {
    method: 'POST',
    file: 'dashboard+/threads',
    path: '/dashboard/threads',
    intent: 'delete-threads',
    may: 'admin',
    place: 'fresh',
    fields: () => ({ createdUntil: '2040-01-01T00:00:00Z' }),
    // A new organization has no threads.
    storesNothing: true,
  },
  { method: 'GET', file: 'dashboard+/threads-export', path: '/dashboard/threads-export', may: 'viewer' },
  {
    method: 'GET',
    file: 'dashboard+/threads_.$threadId_.export',
    path: '/dashboard/threads/{thread}/export',
    may: 'viewer',
  },
]
