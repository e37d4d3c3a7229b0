import type { Operation } from './operation'

/** Ids in examples: variables of the reader's shell or environment, with a value of the kind that each has. */
export const exampleIds = {
  ORG: '6f1c2a34-8b1d-4c5e-9f60-1a2b3c4d5e6f',
  COLLECTION: '0b9d7c11-52a4-4e0e-8a63-5c7f21d9e0aa',
  SOURCE: '3a7e4f52-0c6b-4d0f-b1c9-94e2d6a8f713',
  ADDRESS: 'c52f8d0e-7b34-4f7a-9a1d-2e60b9c4d815',
  AGENT: '8d41e6b7-93fa-4a52-8c0e-7f1b25d3c964',
  THREAD: 'k3J9mQx7TzP2vB8nW5cY1dR6sLa',
  MESSAGE: 'f0a6b3d9-1e58-47c2-a94b-6d7c8e2f5013',
  USER: '57b8c9e2-4d1f-4b6a-b3e0-0f9a7d6c2e48',
  INVITATION: 'e94d2b70-6c8f-4a15-9d3b-8a1f5c7e0b62',
  ID: '2c9f7d41-6e0b-4a38-95d2-b7c1e8f40a63',
} as const

/** A variable of an example. */
export type Variable = keyof typeof exampleIds | 'TOKEN' | 'PUBLIC_KEY' | 'PRIVATE_KEY' | 'VISITOR_TOKEN'

/** Parameters of paths. */
export const pathVariables: Record<string, Variable> = {
  orgId: 'ORG',
  organizationId: 'ORG',
  collectionId: 'COLLECTION',
  sourceId: 'SOURCE',
  addressId: 'ADDRESS',
  agentId: 'AGENT',
  threadId: 'THREAD',
  messageId: 'MESSAGE',
  userId: 'USER',
  invitationId: 'INVITATION',
  id: 'ID',
}

/** The bearer token of an example; null where everybody may call. */
export function bearerOf({ callers }: Pick<Operation, 'callers'>): Variable | null {
  if (callers === 'everybody') return null
  if (callers === 'private-key') return 'PRIVATE_KEY'
  return callers === 'key' ? 'PUBLIC_KEY' : 'TOKEN'
}

/** Replaces the variables in the texts of an example. */
export function withValues<Value>(value: Value, values: Readonly<Record<string, string>>): Value {
  const text = JSON.stringify(value, (_name, item: unknown) =>
    typeof item === 'string' ? item.replaceAll(/\$([A-Z_]+)/g, (name, key: string) => values[key] ?? name) : item,
  )
  return JSON.parse(text) as Value
}
