import { z } from 'zod'
import { invitationSchema, memberEditSchema } from '../organizations/member'
import { onboardingSchema, organizationEditSchema, organizationSchema } from '../organizations/organization'
import { defaultPageSizes } from '../values/limits'
import { pagingSchema } from '../values/paging'
import { paged } from '../views/fields'
import { auditEventViewSchema } from '../views/organizations/audit'
import { invitationViewSchema, memberViewSchema } from '../views/organizations/member'
import { organizationDetailsSchema, organizationViewSchema, usageViewSchema } from '../views/organizations/organization'
import { currentUserViewSchema } from '../views/organizations/user'
import { success } from './common'
import { operation } from './operation'

export const getCurrentUser = operation({
  id: 'getCurrentUser',
  method: 'GET',
  path: '/v1/auth/me',
  summary: 'Get the account of the token',
  description: 'Returns 404 for a valid token whose account was deleted.',
  callers: 'person',
  answer: z.strictObject({ user: currentUserViewSchema }),
  errors: ['not_found'],
})

export const createOrganization = operation({
  id: 'createOrganization',
  method: 'POST',
  path: '/v1/organizations',
  summary: 'Create an organization',
  description: 'The caller becomes its first administrator.',
  callers: 'person',
  body: organizationSchema,
  status: 201,
  answer: z.strictObject({ success, organization: organizationViewSchema }),
  errors: ['forbidden', 'quota_exceeded'],
})

export const getOrganization = operation({
  id: 'getOrganization',
  method: 'GET',
  path: '/v1/organizations/{organizationId}',
  summary: 'Get an organization',
  description: 'Administrators also get its creator, its members and its usage by month.',
  callers: 'person',
  answer: z.strictObject({ organization: organizationDetailsSchema }),
})

export const updateOrganization = operation({
  id: 'updateOrganization',
  method: 'PUT',
  path: '/v1/organizations/{organizationId}',
  summary: 'Update an organization',
  description: 'Absent fields keep their values.',
  callers: 'person',
  role: 'admin',
  body: organizationEditSchema,
  answer: z.strictObject({ success, organization: organizationViewSchema }),
})

export const getUsage = operation({
  id: 'getUsage',
  method: 'GET',
  path: '/v1/organizations/{organizationId}/currentUsage',
  summary: 'Get the current usage of an organization',
  callers: 'person',
  answer: z.strictObject({ usage: usageViewSchema }),
})

export const onboardOrganization = operation({
  id: 'onboardOrganization',
  method: 'POST',
  path: '/v1/organizations/{organizationId}/onboard',
  summary: 'Answer the questionnaire of an organization',
  description: 'Returns 409 if it has already been answered.',
  callers: 'person',
  role: 'admin',
  body: onboardingSchema,
  answer: z.strictObject({ success, organization: organizationViewSchema }),
  errors: ['conflict'],
})

export const listMembers = operation({
  id: 'listMembers',
  method: 'GET',
  path: '/v1/organizations/{organizationId}/members',
  summary: 'List the members of an organization',
  callers: 'person',
  role: 'admin',
  query: pagingSchema(defaultPageSizes.members),
  answer: z.strictObject({ members: paged(memberViewSchema) }),
})

export const updateMember = operation({
  id: 'updateMember',
  method: 'PUT',
  path: '/v1/organizations/{organizationId}/members/{userId}',
  summary: 'Change the role of a member',
  description: 'Returns 409 for the last administrator.',
  callers: 'person',
  role: 'admin',
  body: memberEditSchema,
  answer: z.strictObject({ success, member: memberViewSchema }),
  errors: ['conflict'],
})

export const removeMember = operation({
  id: 'removeMember',
  method: 'DELETE',
  path: '/v1/organizations/{organizationId}/members/{userId}',
  summary: 'Remove a member, or leave',
  description: 'To leave, members send their own id. Returns 409 for the last administrator.',
  callers: 'person',
  role: 'admin',
  errors: ['conflict'],
})

export const listInvitations = operation({
  id: 'listInvitations',
  method: 'GET',
  path: '/v1/organizations/{organizationId}/invitations',
  summary: 'List the pending invitations',
  callers: 'person',
  role: 'admin',
  query: pagingSchema(defaultPageSizes.invitations),
  answer: z.strictObject({ invitations: paged(invitationViewSchema) }),
})

export const createInvitation = operation({
  id: 'createInvitation',
  method: 'POST',
  path: '/v1/organizations/{organizationId}/invitations',
  summary: 'Invite a person',
  description:
    'Replaces a pending invitation for the same e-mail address. Returns 409 if the person is already a member.',
  callers: 'person',
  role: 'admin',
  body: invitationSchema,
  status: 201,
  answer: z.strictObject({ success, invitation: invitationViewSchema }),
  errors: ['conflict', 'unavailable'],
})

export const revokeInvitation = operation({
  id: 'revokeInvitation',
  method: 'DELETE',
  path: '/v1/organizations/{organizationId}/invitations/{invitationId}',
  summary: 'Revoke an invitation',
  callers: 'person',
  role: 'admin',
})

export const listAuditEvents = operation({
  id: 'listAuditEvents',
  method: 'GET',
  path: '/v1/{orgId}/audit',
  summary: 'Get the audit log',
  description: 'The newest 100 events.',
  callers: 'person',
  role: 'admin',
  answer: z.strictObject({ events: z.array(auditEventViewSchema) }),
})
