import type { AdminFilter, AdminListName } from '../contract/admin'

/** Builds all paths of the product. */
export const paths = {
  landing: () => '/',
  terms: () => '/terms',
  help: (page?: string) => (page ? `/help/${page}` : '/help'),
  apiReference: () => '/help/api',
  apiDescription: () => '/v1/openapi.json',
  /** The manual's entry for a reason code. */
  reasonHelp: (reason: string) => `/help/reasons#${encodeURIComponent(reason)}`,
  login: () => '/login',
  signUp: () => '/login?screen_hint=signup',
  logout: () => '/logout',
  health: () => '/healthz',
  theme: () => '/theme',
  sidebar: () => '/sidebar',
  onboarding: () => '/onboarding',
  onboardingOrganization: () => '/onboarding/organization',
  /** Says who is signed in. */
  session: () => '/session',
  /** Says by whom a person was removed from their organization, and offers the others. */
  removed: () => '/removed',
  /** Asks for a second factor where one is required. */
  secondFactor: () => '/second-factor',
  selectOrganization: () => '/dashboard/organization',
  dashboard: () => '/dashboard',
  account: () => '/dashboard/account',
  /** Receives a picture. */
  accountPicture: () => '/dashboard/account/picture',
  settings: () => '/dashboard/settings',
  settingsProvider: () => '/dashboard/settings/provider',
  settingsData: () => '/dashboard/settings/data',
  settingsUsage: () => '/dashboard/settings/usage',
  /** Collections, agents and pages of the manual to go to. */
  places: () => '/dashboard/places',
  members: () => '/dashboard/members',
  audit: () => '/dashboard/audit',
  tryManual: () => '/dashboard/try-manual',
  collections: () => '/dashboard/collections',
  collection: (id: string) => `/dashboard/collection/${encodeURIComponent(id)}`,
  collectionProgress: (id: string) => `/dashboard/collection/${encodeURIComponent(id)}/progress`,
  pagePreview: (collectionId: string) => `/dashboard/collection/${encodeURIComponent(collectionId)}/page-preview`,
  collectionPreview: (id: string) => `/dashboard/collection/${encodeURIComponent(id)}/preview`,
  /** Receives a file: for a new source, or to replace the file of a source. */
  collectionUpload: (id: string, replaced?: string) =>
    `/dashboard/collection/${encodeURIComponent(id)}/upload${replaced ? `?source=${encodeURIComponent(replaced)}` : ''}`,
  /** The table of a collection's addresses, filtered. */
  addresses: (collectionId: string, filter: Partial<Record<'filter' | 'status' | 'reason' | 'source', string>>) =>
    `/dashboard/collection/${encodeURIComponent(collectionId)}?${new URLSearchParams(filter)}#addresses`,
  /** The icon of the site that a collection was crawled from first; until it has one, the first letter of its name. */
  collectionIcon: (id: string, name: string) =>
    `/icon/collection/${encodeURIComponent(id)}?${new URLSearchParams({ name: name.slice(0, 20) })}`,
  /** Path of the icons of a collection's sites, to be followed by a host. */
  collectionIcons: (id: string) => `/icon/collection/${encodeURIComponent(id)}`,
  /** The same for the sites that a shared thread cites. */
  threadIcons: (id: string) => `/icon/thread/${encodeURIComponent(id)}`,
  source: (collectionId: string, sourceId: string) =>
    `/dashboard/collection/${encodeURIComponent(collectionId)}/source/${encodeURIComponent(sourceId)}`,
  sourceFile: (collectionId: string, sourceId: string) =>
    `/dashboard/collection/${encodeURIComponent(collectionId)}/source/${encodeURIComponent(sourceId)}/file`,
  addressFragments: (collectionId: string, addressId: string) =>
    `/dashboard/collection/${encodeURIComponent(collectionId)}/address/${encodeURIComponent(addressId)}`,
  agents: () => '/dashboard/agents',
  agent: (id: string) => `/dashboard/agent/${encodeURIComponent(id)}`,
  agentSettings: (id: string) => `/dashboard/agent/${encodeURIComponent(id)}/ai`,
  agentApi: (id: string) => `/dashboard/agent/${encodeURIComponent(id)}/api`,
  agentWidget: (id: string) => `/dashboard/agent/${encodeURIComponent(id)}/widget`,
  /** Receives a picture. */
  agentLogo: (id: string) => `/dashboard/agent/${encodeURIComponent(id)}/logo`,
  agentChatWidget: (id: string) => `/dashboard/agent/${encodeURIComponent(id)}/demo-widget`,
  agentSearch: (id: string) => `/dashboard/agent/${encodeURIComponent(id)}/demo-search`,
  agentChat: (id: string) => `/dashboard/agent/${encodeURIComponent(id)}/chat`,
  agentThread: (id: string, threadId: string) =>
    `/dashboard/agent/${encodeURIComponent(id)}?thread=${encodeURIComponent(threadId)}`,
  threadExport: (id: string) => `/dashboard/threads/${encodeURIComponent(id)}/export`,
  threads: () => '/dashboard/threads',
  /** Followed by the query of the list. */
  threadsExport: () => '/dashboard/threads-export',
  sharedThread: (id: string) => `/thread/${encodeURIComponent(id)}`,
  thread: (id: string) => `/dashboard/threads/${encodeURIComponent(id)}`,
  admin: () => '/admin',
  adminHealth: () => '/admin/health',
  /** A list of the back office, filtered. */
  adminList: (name: AdminListName, filter: Partial<Record<AdminFilter, string>> = {}) =>
    [`/admin/${name}`, new URLSearchParams(filter).toString()].filter(Boolean).join('?'),
  adminDetail: (name: AdminListName, id: string) => `/admin/${name}/${encodeURIComponent(id)}`,
  adminAudit: (organizationId: string) => `/admin/organizations/${encodeURIComponent(organizationId)}/audit`,
} as const
