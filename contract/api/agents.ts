import { z } from 'zod'
import {
  agentPatchSchema,
  agentSchema,
  agentUpdateSchema,
  linkSchema,
  settingsPatchSchema,
  suggestSchema,
} from '../chat/agent'
import { keychainSchema } from '../organizations/keychain'
import { defaultPageSizes } from '../values/limits'
import { pagingSchema } from '../values/paging'
import { agentViewSchema } from '../views/chat/agent'
import { paged } from '../views/fields'
import { keychainViewSchema } from '../views/organizations/keychain'
import { flagSchema, success } from './common'
import type { Operations } from './operation'

export const agentOperations = {
  listAgents: {
    method: 'GET',
    path: '/v1/{orgId}/agents',
    summary: 'List the agents',
    callers: 'person',
    query: pagingSchema(defaultPageSizes.agents),
    response: z.strictObject({ agents: paged(agentViewSchema) }),
  },
  createAgent: {
    method: 'POST',
    path: '/v1/{orgId}/agents',
    summary: 'Create an agent',
    description: 'With `collectionId`, the new agent answers from that collection.',
    callers: 'person',
    role: 'member',
    body: agentSchema,
    examples: [
      {
        title: 'Create an agent',
        body: { name: 'Help desk', useDefaults: true, collectionId: '$COLLECTION' },
      },
    ],
    status: 201,
    response: z.strictObject({ success, agent: agentViewSchema }),
  },
  getAgent: {
    method: 'GET',
    path: '/v1/{orgId}/agents/{agentId}',
    summary: 'Get an agent',
    description: 'Administrators also get its settings.',
    callers: 'person',
    query: z.object({ includeCollection: flagSchema }),
    examples: [{}, { query: { includeCollection: 'true' } }],
    response: z.strictObject({ agent: agentViewSchema }),
  },
  updateAgent: {
    method: 'PUT',
    path: '/v1/{orgId}/agents/{agentId}',
    summary: 'Update an agent or its settings',
    description: 'Send the name, the description and `disabled`, or the settings. Absent fields keep their values.',
    callers: 'person',
    role: 'admin',
    body: agentUpdateSchema,
    documentedBody: z.union([agentPatchSchema, settingsPatchSchema]),
    examples: [
      { body: { name: 'Help desk', description: 'Answers questions about our shop' } },
      {
        body: {
          provider: 'openai',
          model: 'gpt-4.1-nano',
          prompt: 'Answer briefly.',
          fragment_similarity: 0.3,
          fragment_limit: 10,
          max_total_output_tokens: 1024,
          history_limit: 5,
          message_length: 512,
          suggestions: ['When are you open?', 'How long is the warranty?'],
        },
      },
    ],
    response: z.strictObject({ success, agent: agentViewSchema }),
    errors: ['flagged', 'unavailable'],
  },
  deleteAgent: {
    method: 'DELETE',
    path: '/v1/{orgId}/agents/{agentId}',
    summary: 'Delete an agent',
    description: 'Its keys stop working. Its threads stay.',
    callers: 'person',
    role: 'admin',
  },
  linkAgent: {
    method: 'PUT',
    path: '/v1/{orgId}/agents/{agentId}/link',
    summary: 'Link an agent to a collection',
    description: 'Null as `collectionId` unlinks it.',
    callers: 'person',
    role: 'admin',
    body: linkSchema,
    examples: [{ body: { collectionId: '$COLLECTION' } }],
    response: z.strictObject({ success, agent: agentViewSchema }),
  },
  suggestQuestions: {
    method: 'POST',
    path: '/v1/{orgId}/agents/{agentId}/suggestions',
    summary: 'Propose questions for an agent',
    description:
      "At most 6, from the headings of the collection or written by the agent's model. They are not stored: save them with the settings.",
    callers: 'person',
    role: 'admin',
    body: suggestSchema,
    optional: true,
    examples: [{ body: { from: 'collection' } }],
    response: z.strictObject({ suggestions: z.array(z.string()) }),
    errors: ['conflict', 'upstream_failed'],
  },
  getKeychain: {
    method: 'GET',
    path: '/v1/{orgId}/agents/{agentId}/key',
    summary: 'Get the keys of an agent',
    description: '`keychain` is null until an administrator creates the keys.',
    callers: 'person',
    role: 'admin',
    response: z.strictObject({ keychain: keychainViewSchema.nullable() }),
    errors: ['unavailable'],
  },
  saveKeychain: {
    method: 'PUT',
    path: '/v1/{orgId}/agents/{agentId}/key',
    summary: 'Create, update or regenerate the keys of an agent',
    callers: 'person',
    role: 'admin',
    body: keychainSchema,
    examples: [
      {
        body: {
          regenerate: false,
          allowedIps: '203.0.113.7, 198.51.100.0/24',
          allowedOrigins: 'https://www.example.com',
          rateLimit: 240,
          dailyMessages: 500,
        },
      },
    ],
    response: z.strictObject({ created: keychainViewSchema }),
    errors: ['unavailable'],
  },
} satisfies Operations
