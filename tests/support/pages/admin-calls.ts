import { adminListNames } from '../../../contract/admin'
import type { PageCall } from './page-call'

const read = { method: 'GET', may: 'staff' } as const

/** The back office. */
export const adminCalls: PageCall[] = [
  { ...read, file: 'admin+/_layout', path: '/admin' },
  { ...read, file: 'admin+/index', path: '/admin' },
  ...adminListNames.map((name) => ({ ...read, file: `admin+/${name}`, path: `/admin/${name}` })),
  { ...read, file: 'admin+/health', path: '/admin/health' },
  { ...read, file: 'admin+/users_.$id', path: '/admin/users/{person}' },
  { ...read, file: 'admin+/organizations_.$id', path: '/admin/organizations/{organization}' },
  { ...read, file: 'admin+/organizations_.$id_.audit', path: '/admin/organizations/{organization}/audit' },
  { ...read, file: 'admin+/collections_.$id', path: '/admin/collections/{collection}', recordsRead: true },
  { ...read, file: 'admin+/sources_.$id', path: '/admin/sources/{source}' },
  { ...read, file: 'admin+/urls_.$id', path: '/admin/urls/{address}', recordsRead: true },
  { ...read, file: 'admin+/agents_.$id', path: '/admin/agents/{agent}', recordsRead: true },
  { ...read, file: 'admin+/threads_.$id', path: '/admin/threads/{thread}', recordsRead: true },
]
