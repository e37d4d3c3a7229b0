/** Every address inside the product is built here. */
export const paths = {
  landing: () => '/',
  terms: () => '/terms',
  help: (page?: string) => (page ? `/help/${page}` : '/help'),
  /** The manual's entry for a reason code. */
  reasonHelp: (reason: string) => `/help/reasons#${encodeURIComponent(reason)}`,
  login: () => '/login',
  signUp: () => '/login?screen_hint=signup',
  logout: () => '/logout',
  theme: () => '/theme',
  sidebar: () => '/sidebar',
  onboarding: () => '/onboarding',
  onboardingOrganization: () => '/onboarding/organization',
  selectOrganization: () => '/dashboard/organization',
  dashboard: () => '/dashboard',
  tryManual: () => '/dashboard/try-manual',
  collections: () => '/dashboard/collections',
  collection: (id: string) => `/dashboard/collection/${encodeURIComponent(id)}`,
  collectionProgress: (id: string) => `/dashboard/collection/${encodeURIComponent(id)}/progress`,
  pagePreview: (collectionId: string) => `/dashboard/collection/${encodeURIComponent(collectionId)}/page-preview`,
  collectionPreview: (id: string) => `/dashboard/collection/${encodeURIComponent(id)}/preview`,
  /** Where a file is sent: as a new source, or in the place of a source's file. */
  collectionUpload: (id: string, replaced?: string) =>
    `/dashboard/collection/${encodeURIComponent(id)}/upload${replaced ? `?source=${encodeURIComponent(replaced)}` : ''}`,
  /** The collection's addresses, those alone that are asked for. */
  addresses: (collectionId: string, asked: Partial<Record<'filter' | 'status' | 'reason' | 'source', string>>) =>
    `/dashboard/collection/${encodeURIComponent(collectionId)}?${new URLSearchParams(asked)}#addresses`,
  source: (collectionId: string, sourceId: string) =>
    `/dashboard/collection/${encodeURIComponent(collectionId)}/source/${encodeURIComponent(sourceId)}`,
  sourceFile: (collectionId: string, sourceId: string) =>
    `/dashboard/collection/${encodeURIComponent(collectionId)}/source/${encodeURIComponent(sourceId)}/file`,
  addressFragments: (collectionId: string, addressId: string) =>
    `/dashboard/collection/${encodeURIComponent(collectionId)}/address/${encodeURIComponent(addressId)}`,
  agents: () => '/dashboard/agents',
  agent: (id: string) => `/dashboard/agent/${encodeURIComponent(id)}`,
  agentSettings: (id: string) => `/dashboard/agent/${encodeURIComponent(id)}/ai`,
  agentSearch: (id: string) => `/dashboard/agent/${encodeURIComponent(id)}/demo-search`,
  agentChat: (id: string) => `/dashboard/agent/${encodeURIComponent(id)}/chat`,
  agentThread: (id: string, threadId: string) =>
    `/dashboard/agent/${encodeURIComponent(id)}?thread=${encodeURIComponent(threadId)}`,
  threadExport: (id: string) => `/dashboard/threads/${encodeURIComponent(id)}/export`,
  threads: () => '/dashboard/threads',
  thread: (id: string) => `/dashboard/threads/${encodeURIComponent(id)}`,
} as const
