import type { agentOperations } from '../../../../contract/api/agents'
import type { Handlers } from '../../api/handler.server'
import { agentRef } from './refs.server'

export const agentHandlers = {
  listAgents: async ({ services, actor, params, query }) => ({
    agents: await services.agents.list(actor, params.orgId, query),
  }),

  createAgent: async ({ services, actor, params, body }) => ({
    success: true,
    agent: await services.agents.create(actor, params.orgId, body),
  }),

  getAgent: async ({ services, actor, params, query }) => ({
    agent: await services.agents.get(actor, agentRef(params), query),
  }),

  updateAgent: async ({ services: { agents }, actor, params, body }) => {
    const ref = agentRef(params)
    const agent =
      'settings' in body
        ? await agents.saveSettings(actor, ref, body.settings)
        : await agents.update(actor, ref, body.edit)
    return { success: true, agent }
  },

  deleteAgent: ({ services, actor, params }) => services.agents.remove(actor, agentRef(params)),

  linkAgent: async ({ services, actor, params, body }) => ({
    success: true,
    agent: await services.agents.link(actor, agentRef(params), body),
  }),

  suggestQuestions: async ({ services, actor, params, body }) => ({
    suggestions: await services.suggestQuestions(actor, agentRef(params), body.from),
  }),

  getKeychain: async ({ services, actor, params }) => ({
    keychain: await services.keychains.get(actor, agentRef(params)),
  }),

  saveKeychain: async ({ services, actor, params, body }) => ({
    created: await services.keychains.save(actor, agentRef(params), body),
  }),
} satisfies Handlers<typeof agentOperations>
