import { z } from 'zod'
import { agentPatchSchema, agentSchema, agentUpdateSchema, linkSchema, settingsPatchSchema } from '../chat/agent'
import { keychainSchema } from '../organizations/keychain'
import { defaultPageSizes } from '../values/limits'
import { pagingSchema } from '../values/paging'
import { agentViewSchema } from '../views/chat/agent'
import { paged } from '../views/fields'
import { keychainViewSchema } from '../views/organizations/keychain'
import { success } from './common'
import { operation } from './operation'

export const listAgents = operation({
  id: 'listAgents',
  method: 'GET',
  path: '/v1/{orgId}/agents',
  summary: 'List the agents',
  callers: 'person',
  query: pagingSchema(defaultPageSizes.agents),
  answer: z.strictObject({ agents: paged(agentViewSchema) }),
})

export const createAgent = operation({
  id: 'createAgent',
  method: 'POST',
  path: '/v1/{orgId}/agents',
  summary: 'Create an agent',
  description: 'With `collectionId`, the new agent answers from that collection.',
  callers: 'person',
  role: 'member',
  body: agentSchema,
  status: 201,
  answer: z.strictObject({ success, agent: agentViewSchema }),
})

export const getAgent = operation({
  id: 'getAgent',
  method: 'GET',
  path: '/v1/{orgId}/agents/{agentId}',
  summary: 'Get an agent',
  description: 'Administrators also get its settings.',
  callers: 'person',
  query: z.object({ includeCollection: z.enum(['true', 'false']).default('false') }),
  answer: z.strictObject({ agent: agentViewSchema }),
})

export const updateAgent = operation({
  id: 'updateAgent',
  method: 'PUT',
  path: '/v1/{orgId}/agents/{agentId}',
  summary: 'Update an agent or its settings',
  description: 'Send the name, the description and `disabled`, or the settings. Absent fields keep their values.',
  callers: 'person',
  role: 'admin',
  body: agentUpdateSchema,
  documentedBody: z.union([agentPatchSchema, settingsPatchSchema]),
  answer: z.strictObject({ success, agent: agentViewSchema }),
  errors: ['flagged', 'unavailable'],
})

export const deleteAgent = operation({
  id: 'deleteAgent',
  method: 'DELETE',
  path: '/v1/{orgId}/agents/{agentId}',
  summary: 'Delete an agent',
  description: 'Its keys stop working. Its threads stay.',
  callers: 'person',
  role: 'admin',
})

export const linkAgent = operation({
  id: 'linkAgent',
  method: 'PUT',
  path: '/v1/{orgId}/agents/{agentId}/link',
  summary: 'Link an agent to a collection',
  description: 'Null as `collectionId` unlinks it.',
  callers: 'person',
  role: 'admin',
  body: linkSchema,
  answer: z.strictObject({ success, agent: agentViewSchema }),
})

export const getKeychain = operation({
  id: 'getKeychain',
  method: 'GET',
  path: '/v1/{orgId}/agents/{agentId}/key',
  summary: 'Get the keys of an agent',
  description: '`keychain` is null until an administrator creates the keys.',
  callers: 'person',
  role: 'admin',
  answer: z.strictObject({ keychain: keychainViewSchema.nullable() }),
  errors: ['unavailable'],
})

export const saveKeychain = operation({
  id: 'saveKeychain',
  method: 'PUT',
  path: '/v1/{orgId}/agents/{agentId}/key',
  summary: 'Create, update or regenerate the keys of an agent',
  callers: 'person',
  role: 'admin',
  body: keychainSchema,
  answer: z.strictObject({ created: keychainViewSchema }),
  errors: ['unavailable'],
})
