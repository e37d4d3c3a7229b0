import { z } from 'zod'
import { invitationSchema, memberEditSchema } from '../organizations/member'
import { onboardingSchema, organizationEditSchema, organizationSchema } from '../organizations/organization'
import { invalidState } from '../texts/invalid-state'
import { defaultPageSizes } from '../values/limits'
import { pagingSchema } from '../values/paging'
import { paged } from '../views/fields'
import { auditEventViewSchema } from '../views/organizations/audit'
import { invitationViewSchema, memberViewSchema } from '../views/organizations/member'
import { organizationDetailsSchema, organizationViewSchema, usageViewSchema } from '../views/organizations/organization'
import { currentUserViewSchema } from '../views/organizations/user'
import { success } from './common'
import type { Operations } from './operation'

export const organizationOperations = {
  getCurrentUser: {
    method: 'GET',
    path: '/v1/auth/me',
    summary: 'Get the account of the token',
    description: 'Returns 404 for a valid token whose account was deleted.',
    callers: 'person',
    withoutToken: invalidState.user,
    accountRequired: true,
    examples: [{ title: 'Find your organizations' }],
    response: z.strictObject({ user: currentUserViewSchema }),
    errors: ['not_found'],
  },
  createOrganization: {
    method: 'POST',
    path: '/v1/organizations',
    summary: 'Create an organization',
    description: 'The caller becomes its first administrator.',
    callers: 'person',
    body: organizationSchema,
    examples: [{ body: { name: 'Fennel', entity_name: 'Fennel Ltd' } }],
    status: 201,
    response: z.strictObject({ success, organization: organizationViewSchema }),
    errors: ['quota_exceeded'],
  },
  getOrganization: {
    method: 'GET',
    path: '/v1/organizations/{organizationId}',
    summary: 'Get an organization',
    description: 'Administrators also get its creator, its members and its usage by month.',
    callers: 'person',
    withoutToken: invalidState.organization,
    response: z.strictObject({ organization: organizationDetailsSchema }),
  },
  updateOrganization: {
    method: 'PUT',
    path: '/v1/organizations/{organizationId}',
    summary: 'Update an organization',
    description: 'Absent fields keep their values.',
    callers: 'person',
    role: 'admin',
    body: organizationEditSchema,
    examples: [
      {
        body: {
          name: 'Fennel',
          entity_name: 'Fennel Ltd',
          default_agent_provider: 'openai',
          default_agent_model: 'gpt-4.1-nano',
          default_agent_provider_key: 'key-of-the-provider',
        },
      },
    ],
    response: z.strictObject({ success, organization: organizationViewSchema }),
  },
  getUsage: {
    method: 'GET',
    path: '/v1/organizations/{organizationId}/currentUsage',
    summary: 'Get the current usage of an organization',
    callers: 'person',
    withoutToken: invalidState.usage,
    examples: [{ title: 'Get the current usage' }],
    response: z.strictObject({ usage: usageViewSchema }),
  },
  onboardOrganization: {
    method: 'POST',
    path: '/v1/organizations/{organizationId}/onboard',
    summary: 'Answer the questionnaire of an organization',
    description: 'Returns 409 if it has already been answered.',
    callers: 'person',
    role: 'admin',
    body: onboardingSchema,
    examples: [
      {
        body: {
          goals: ['chat_on_website'],
          sector: 'retail',
          position: 'sales',
          size: 'Solo (1)',
          source: 'search',
        },
      },
    ],
    response: z.strictObject({ success, organization: organizationViewSchema }),
    errors: ['conflict'],
  },
  listMembers: {
    method: 'GET',
    path: '/v1/organizations/{organizationId}/members',
    summary: 'List the members of an organization',
    callers: 'person',
    role: 'admin',
    query: pagingSchema(defaultPageSizes.members),
    response: z.strictObject({ members: paged(memberViewSchema) }),
  },
  updateMember: {
    method: 'PUT',
    path: '/v1/organizations/{organizationId}/members/{userId}',
    summary: 'Change the role of a member',
    description: 'Returns 409 for the last administrator.',
    callers: 'person',
    role: 'admin',
    body: memberEditSchema,
    examples: [{ body: { role: 'member' } }],
    response: z.strictObject({ success, member: memberViewSchema }),
    errors: ['conflict'],
  },
  removeMember: {
    method: 'DELETE',
    path: '/v1/organizations/{organizationId}/members/{userId}',
    summary: 'Remove a member, or leave',
    description: 'To leave, members send their own id. Returns 409 for the last administrator.',
    callers: 'person',
    role: 'admin',
    errors: ['conflict'],
  },
  listInvitations: {
    method: 'GET',
    path: '/v1/organizations/{organizationId}/invitations',
    summary: 'List the pending invitations',
    callers: 'person',
    role: 'admin',
    query: pagingSchema(defaultPageSizes.invitations),
    response: z.strictObject({ invitations: paged(invitationViewSchema) }),
  },
  createInvitation: {
    method: 'POST',
    path: '/v1/organizations/{organizationId}/invitations',
    summary: 'Invite a person',
    description:
      'Replaces a pending invitation for the same e-mail address. Returns 409 if the person is already a member.',
    callers: 'person',
    role: 'admin',
    body: invitationSchema,
    examples: [{ body: { email: 'grace@example.com', role: 'viewer' } }],
    status: 201,
    response: z.strictObject({ success, invitation: invitationViewSchema }),
    errors: ['conflict', 'unavailable'],
  },
  revokeInvitation: {
    method: 'DELETE',
    path: '/v1/organizations/{organizationId}/invitations/{invitationId}',
    summary: 'Revoke an invitation',
    callers: 'person',
    role: 'admin',
  },
  listAuditEvents: {
    method: 'GET',
    path: '/v1/{orgId}/audit',
    summary: 'Get the audit log',
    description: 'The newest 100 events.',
    callers: 'person',
    role: 'admin',
    response: z.strictObject({ events: z.array(auditEventViewSchema) }),
  },
} satisfies Operations
