import { adminOperations } from './admin'
import { agentOperations } from './agents'
import { chatOperations } from './chat'
import { collectionOperations } from './collections'
import { descriptionOperations } from './description'
import { methods, type NamedOperation, type Operations } from './operation'
import { organizationOperations } from './organizations'
import { sourceOperations } from './sources'
import { visitorOperations } from './visitors'

export interface OperationGroup {
  name: string
  description: string
  operations: NamedOperation[]
}

/** All calls of /v1, as the description groups them. */
export const operationGroups: OperationGroup[] = [
  group(
    'Organizations',
    'The account behind a token; organizations, their members and invitations.',
    organizationOperations,
  ),
  group('Collections', 'Collections, their addresses, and search.', collectionOperations),
  group('Sources', 'The sites and files of a collection, and their runs.', sourceOperations),
  group('Agents', 'Agents, their settings and their keys.', agentOperations),
  group('Chat', 'Messages to agents, and threads.', chatOperations),
  group('Visitors', "Calls with an agent's key, from web pages and from programs.", visitorOperations),
  group('Back office', 'For platform administrators.', adminOperations),
  group('Description', 'The OpenAPI document that this page is generated from.', descriptionOperations),
]

function group(name: string, description: string, operations: Operations): OperationGroup {
  const named = Object.entries(operations).map(([id, operation]): NamedOperation => ({ id, ...operation }))
  return { name, description, operations: named.sort(byPath) }
}

function byPath(a: NamedOperation, b: NamedOperation): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1
  return methods.indexOf(a.method) - methods.indexOf(b.method)
}
