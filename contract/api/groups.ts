import * as admin from './admin'
import * as agents from './agents'
import * as chat from './chat'
import * as collections from './collections'
import * as description from './openapi/description'
import type { AnyOperation } from './operation'
import * as organizations from './organizations'
import * as sources from './sources'
import * as visitors from './visitors'

export interface OperationGroup {
  name: string
  description: string
  operations: AnyOperation[]
}

const { adminLists, ...adminDetails } = admin

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** All calls of /v1. */
export const operationGroups: OperationGroup[] = [
  group('Organizations', 'The account behind a token; organizations, their members and invitations.', organizations),
  group('Collections', 'Collections, their addresses, and search.', collections),
  group('Sources', 'The sites and files of a collection, and their runs.', sources),
  group('Agents', 'Agents, their settings and their keys.', agents),
  group('Chat', 'Messages to agents, and threads.', chat),
  group('Visitors', "Calls with an agent's key, from web pages and from programs.", visitors),
  group('Back office', 'For platform administrators.', { ...adminDetails, ...adminLists }),
  group('Description', 'The OpenAPI document that this page is generated from.', description),
]

function group(name: string, description: string, operations: Record<string, AnyOperation>): OperationGroup {
  return { name, description, operations: Object.values(operations).sort(byPath) }
}

function byPath(a: AnyOperation, b: AnyOperation): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1
  return methods.indexOf(a.method) - methods.indexOf(b.method)
}
