import { adminListNames } from '../../../contract/admin'
import type { PageCall } from './page-call'

const read = { method: 'GET', may: 'staff' } as const

/** The back office. */
export const adminCalls: PageCall[] = [
  { ...read, file: 'admin+/_layout', path: '/admin' },
  { ...read, file: 'admin+/index', path: '/admin' },
  ...adminListNames.map((name) => ({ ...read, file: `admin+/${name}`, path: `/admin/${name}` })),
  { ...read, file: 'admin+/health', path: '/admin/health' },
  { ...read, file: 'admin+/users.$id', path: '/admin/users/{person}' },
  { ...read, file: 'admin+/organizations.$id', path: '/admin/organizations/{organization}' },
  { ...read, file: 'admin+/organizations.$id_.audit', path: '/admin/organizations/{organization}/audit' },
  { ...read, file: 'admin+/collections.$id', path: '/admin/collections/{collection}', recordsRead: true },
  { ...read, file: 'admin+/sources.$id', path: '/admin/sources/{source}' },
  { ...read, file: 'admin+/urls.$id', path: '/admin/urls/{address}', recordsRead: true },
  { ...read, file: 'admin+/agents.$id', path: '/admin/agents/{agent}', recordsRead: true },
  { ...read, file: 'admin+/threads.$id', path: '/admin/threads/{thread}', recordsRead: true },
]
