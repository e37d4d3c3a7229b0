import { z } from 'zod'
import { paged } from '../../../contract/views/fields'
import { auditEventViewSchema } from '../../../contract/views/organizations/audit'
import { invitationViewSchema, memberViewSchema } from '../../../contract/views/organizations/member'
import {
  organizationDetailsSchema,
  organizationViewSchema,
  usageViewSchema,
} from '../../../contract/views/organizations/organization'
import { currentUserViewSchema } from '../../../contract/views/organizations/user'
import type { ApiEndpoint } from './api-endpoint'

import { choices, long, neverLine, neverNumber, optionalName, optionalText, requiredName, success } from './api-wrong'

const onboarding = {
  goals: ['chat_on_website'],
  sector: 'retail',
  position: 'sales',
  size: 'Solo (1)',
  source: 'search',
}

/** Who is there, organizations, their members and invitations. */
export const organizationCalls: ApiEndpoint[] = [
  {
    method: 'GET',
    path: '/v1/auth/me',
    file: 'auth.me',
    may: 'anyone',
    status: 200,
    answer: z.strictObject({ user: currentUserViewSchema }),
  },
  {
    method: 'POST',
    path: '/v1/organizations',
    file: 'organizations',
    may: 'anyone',
    body: () => ({ name: 'Made by the test', entity_name: 'Test Ltd' }),
    status: 201,
    answer: z.strictObject({ success, organization: organizationViewSchema }),
    wrong: { name: requiredName(32), entity_name: [null, ...optionalText(48), ...neverLine] },
  },
  {
    method: 'GET',
    path: '/v1/organizations/{organization}',
    file: 'organizations+/$organizationId',
    may: 'viewer',
    status: 200,
    answer: z.strictObject({ organization: organizationDetailsSchema }),
  },
  {
    method: 'PUT',
    path: '/v1/organizations/{organization}',
    file: 'organizations+/$organizationId',
    may: 'admin',
    body: () => ({
      name: 'Fennel',
      entity_name: 'Fennel Ltd',
      default_agent_provider: 'openai',
      default_agent_model: 'gpt-4.1-nano',
      default_agent_provider_key: 'sk-of-the-organization',
    }),
    status: 200,
    answer: z.strictObject({ success, organization: organizationViewSchema }),
    wrong: {
      name: optionalName(32),
      entity_name: [null, ...optionalText(48), ...neverLine],
      default_agent_provider: ['', 'nobody', 7, [], {}],
      default_agent_model: optionalText(64),
      default_agent_provider_key: optionalText(512),
      visitor_daily_share: [...neverNumber, 0, 101, 1.5, -1],
    },
  },
  {
    method: 'GET',
    path: '/v1/organizations/{organization}/currentUsage',
    file: 'organizations+/$organizationId.currentUsage',
    may: 'viewer',
    status: 200,
    answer: z.strictObject({ usage: usageViewSchema }),
  },
  {
    method: 'POST',
    path: '/v1/organizations/{organization}/onboard',
    file: 'organizations+/$organizationId.onboard',
    may: 'admin',
    body: () => ({ ...onboarding }),
    status: 200,
    answer: z.strictObject({ success, organization: organizationViewSchema }),
    wrong: {
      goals: [undefined, null, [], 'chat_on_website', [7], [''], {}, [long(70)], Array(21).fill('other')],
      sector: [...choices, `other:${long(64)}`],
      position: choices,
      size: choices,
      source: choices,
    },
  },
  {
    method: 'GET',
    path: '/v1/organizations/{organization}/members',
    file: 'organizations+/$organizationId.members',
    may: 'admin',
    status: 200,
    answer: z.strictObject({ members: paged(memberViewSchema) }),
  },
  {
    method: 'PUT',
    path: '/v1/organizations/{organization}/members/{person}',
    file: 'organizations+/$organizationId.members.$userId',
    may: 'admin',
    body: () => ({ role: 'member' }),
    status: 200,
    answer: z.strictObject({ success, member: memberViewSchema }),
    wrong: { role: [...choices, 'owner', 'Admin'] },
  },
  {
    method: 'DELETE',
    path: '/v1/organizations/{organization}/members/{person}',
    file: 'organizations+/$organizationId.members.$userId',
    may: 'admin',
    spends: 'person',
    status: 204,
    answer: null,
  },
  {
    method: 'GET',
    path: '/v1/{organization}/audit',
    file: '$orgId+/audit',
    may: 'admin',
    status: 200,
    answer: z.strictObject({ events: z.array(auditEventViewSchema) }),
  },
  {
    method: 'GET',
    path: '/v1/organizations/{organization}/invitations',
    file: 'organizations+/$organizationId.invitations',
    may: 'admin',
    status: 200,
    answer: z.strictObject({ invitations: paged(invitationViewSchema) }),
  },
  {
    method: 'POST',
    path: '/v1/organizations/{organization}/invitations',
    file: 'organizations+/$organizationId.invitations',
    may: 'admin',
    body: () => ({ email: 'grace@example.com', role: 'viewer' }),
    status: 201,
    answer: z.strictObject({ success, invitation: invitationViewSchema }),
    wrong: { email: [...choices, 'grace@', 'a@b.c\nd', `${long(250)}@example.com`], role: [...choices, 'owner'] },
  },
  {
    method: 'DELETE',
    path: '/v1/organizations/{organization}/invitations/{invitation}',
    file: 'organizations+/$organizationId.invitations.$invitationId',
    may: 'admin',
    spends: 'invitation',
    status: 204,
    answer: null,
  },
]
