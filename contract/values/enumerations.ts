/** The contract's enumerations (specification, section 3), with their labels. */

export const organizationRoles = ['admin', 'member', 'viewer'] as const
export type OrganizationRole = (typeof organizationRoles)[number]
export const roleLabels: Record<OrganizationRole, string> = {
  admin: 'Administrator',
  member: 'Member',
  viewer: 'Viewer',
}

/** The one that allows less. The list of roles begins with the highest. */
export function lowerRole(first: OrganizationRole, second: OrganizationRole): OrganizationRole {
  return organizationRoles.indexOf(first) > organizationRoles.indexOf(second) ? first : second
}

export const userTypes = { normal: 0, staff: 1 } as const

export const providers = ['openai', 'anthropic', 'gemini', 'deepseek'] as const
export type Provider = (typeof providers)[number]
export const providerLabels: Record<Provider, string> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  gemini: 'Gemini',
  deepseek: 'DeepSeek',
}

export function isProvider(name: string): name is Provider {
  return providers.some((provider) => provider === name)
}

export const modelChoices: Record<Provider, readonly string[]> = {
  openai: ['gpt-4.1-nano', 'gpt-4.1-mini', 'gpt-4.1', 'gpt-4o-mini', 'gpt-3.5-turbo'],
  anthropic: ['claude-3-5-sonnet', 'claude-3-5-haiku', 'claude-3-7-sonnet', 'claude-sonnet-4', 'claude-opus-4'],
  gemini: ['2.0-flash', '2.5-flash', '2.5-pro'],
  deepseek: ['deepseek-chat'],
}

export const sourceTypes = ['sitemap', 'file', 'url', 'domain'] as const
export type SourceType = (typeof sourceTypes)[number]
export const sourceTypeLabels: Record<SourceType, string> = {
  sitemap: 'Sitemap',
  file: 'File',
  url: 'URL',
  domain: 'Domain',
}

export const sourceStatuses = ['fail', 'new', 'processing', 'crawling', 'idle', 'crawl-limit', 'url-limit'] as const
export type SourceStatus = (typeof sourceStatuses)[number]

export const addressStatuses = ['fail', 'new', 'pending', 'crawling', 'idle', 'limit'] as const
export type AddressStatus = (typeof addressStatuses)[number]

/** Labels of the statuses of sources and addresses; sources never have 'pending' and 'limit'. */
export const statusLabels: Record<SourceStatus | AddressStatus, string> = {
  fail: 'Failed',
  new: 'New',
  processing: 'Processing',
  pending: 'Pending Crawl',
  crawling: 'Crawling',
  idle: 'Idle',
  limit: 'Crawl Limit',
  'crawl-limit': 'Crawl Limit',
  'url-limit': 'URL Limit',
}

export const agentStatuses = {
  error: 0,
  noCollection: 1,
  noSources: 2,
  noFragments: 3,
  operational: 4,
  disabled: 5,
  archived: 6,
  noProviderKey: 7,
  invalidProviderKey: 8,
} as const
export type AgentStatus = (typeof agentStatuses)[keyof typeof agentStatuses]
export const agentStatusLabels: Record<AgentStatus, string> = {
  0: 'Error',
  1: 'Needs Collection',
  2: 'No Sources',
  3: 'No Data',
  4: 'Operational',
  5: 'Disabled',
  6: 'Archived',
  7: 'Needs Provider API Key',
  8: 'Invalid Provider API Key',
}

export const messageRoles = ['user', 'agent', 'error'] as const
/** How far the fragments answered a question. */
export const verdicts = ['answered', 'partly', 'not-found'] as const
export type Verdict = (typeof verdicts)[number]
export const verdictLabels: Record<Verdict, string> = {
  answered: 'Answered',
  partly: 'Partly answered',
  'not-found': 'Not found',
}

/** Feedback of a visitor on an answer. */
export const ratings = ['up', 'down'] as const
export type Rating = (typeof ratings)[number]
export const ratingLabels: Record<Rating, string> = { up: 'Helpful', down: 'Not helpful' }

export const messageStatuses = { error: 0, sent: 1, delivered: 2, read: 3 } as const
export type MessageStatus = (typeof messageStatuses)[keyof typeof messageStatuses]

export const companySizes = [
  'Solo (1)',
  'Small (2-10)',
  'Small to medium (11-50)',
  'Medium (51-250)',
  'Large (251-1000)',
  'Enterprise (1001+)',
] as const
export const referralSources = [
  'search',
  'linkedin',
  'youtube',
  'tiktok',
  'online_ads',
  'review_site',
  'webinar',
  'event',
  'referral',
  'other',
] as const
export const positions = [
  'founder_c_level',
  'manager_director',
  'developer_engineer',
  'product_manager',
  'designer',
  'marketing',
  'sales',
  'student_researcher',
  'other',
] as const
export const sectors = [
  'personal_use',
  'ecommerce',
  'saas_tech',
  'agency',
  'consulting',
  'retail',
  'manufacturing',
  'healthcare',
  'finance',
  'education',
  'hospitality',
  'real_estate',
  'non_profit_gov',
  'other',
] as const

/** States of an e-mail that the server sends. */
export const mailStatuses = ['queued', 'sent', 'failed'] as const
export type MailStatus = (typeof mailStatuses)[number]

export const refreshIntervals = ['never', 'daily', 'weekly', 'monthly'] as const
export type RefreshInterval = (typeof refreshIntervals)[number]
export const refreshIntervalLabels: Record<RefreshInterval, string> = {
  never: 'Never',
  daily: 'Every day',
  weekly: 'Every week',
  monthly: 'Every month',
}
