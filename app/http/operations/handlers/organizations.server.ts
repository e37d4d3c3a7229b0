import type { organizationOperations } from '../../../../contract/api/organizations'
import type { Handlers } from '../../api/handler.server'

export const organizationHandlers = {
  getCurrentUser: async ({ services, actor }) => ({ user: await services.accounts.currentUser(actor) }),

  createOrganization: async ({ services, actor, body }) => ({
    success: true,
    organization: await services.organizations.create(actor, body),
  }),

  getOrganization: async ({ services, actor, params }) => ({
    organization: await services.organizationDetails.get(actor, params.organizationId),
  }),

  updateOrganization: async ({ services, actor, params, body }) => ({
    success: true,
    organization: await services.organizations.update(actor, params.organizationId, body),
  }),

  getUsage: async ({ services, actor, params }) => ({
    usage: await services.organizations.usage(actor, params.organizationId),
  }),

  onboardOrganization: async ({ services, actor, params, body }) => ({
    success: true,
    organization: await services.organizations.onboard(actor, params.organizationId, body),
  }),

  listMembers: async ({ services, actor, params, query }) => ({
    members: await services.members.list(actor, params.organizationId, query),
  }),

  updateMember: async ({ services, actor, params, body }) => ({
    success: true,
    member: await services.members.changeRole(actor, params, body),
  }),

  removeMember: ({ services, actor, params }) => services.members.remove(actor, params),

  listInvitations: async ({ services, actor, params, query }) => ({
    invitations: await services.invitations.list(actor, params.organizationId, query),
  }),

  createInvitation: async ({ services, actor, params, body }) => ({
    success: true,
    invitation: await services.invitations.create(actor, params.organizationId, body),
  }),

  revokeInvitation: ({ services, actor, params }) => services.invitations.revoke(actor, params),

  listAuditEvents: async ({ services, actor, params }) => ({ events: await services.audit.list(actor, params.orgId) }),
} satisfies Handlers<typeof organizationOperations>
