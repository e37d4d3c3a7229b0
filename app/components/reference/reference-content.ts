// What the page of the API reference shows.

/** A type in the notation of TypeScript: text, and names of objects that the page describes. */
export type TypeText = (string | { object: string })[]

export interface Field {
  name: string
  type: TypeText
  isRequired: boolean
  description: string
}

export interface ReferenceContent {
  mediaTypes: string[]
  /** Null where the type is no object with fields. */
  fields: Field[] | null
  /** Type of the content; of a stream, of the data of each event. */
  type: TypeText
  isStream: boolean
}

export interface ReferenceOperation {
  id: string
  method: string
  path: string
  summary: string
  description: string
  callers: string
  parameters: Field[]
  body: { isRequired: boolean; contents: ReferenceContent[] } | null
  /** Successes come first. */
  responses: { status: string; description: string; contents: ReferenceContent[] }[]
}

export interface ReferenceExample {
  title: string
  curl: string
  javascript: string
}

export interface ReferenceGroup {
  name: string
  anchor: string
  description: string
  operations: ReferenceOperation[]
  examples: ReferenceExample[]
}

export interface ReferenceObject {
  name: string
  /** Whether programs send it. */
  isSent: boolean
  fields: Field[] | null
  type: TypeText
}

export interface Reference {
  groups: ReferenceGroup[]
  objects: ReferenceObject[]
}
