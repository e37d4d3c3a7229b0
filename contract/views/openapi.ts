import { z } from 'zod'

// The parts of OpenAPI 3.1 that the description uses. Aliases, because an interface has no index signature.

export type JsonSchema = Record<string, unknown>

/** Contents by media type. Server-sent events have no schema in OpenAPI 3.1: `x-event` describes the data of each. */
export type Contents = Record<string, { schema: JsonSchema; examples?: BodyExamples } | { 'x-event': JsonSchema }>

export type BodyExamples = Record<string, { summary?: string; value: unknown }>

export type Reference = { $ref: string }

export type Parameter = {
  name: string
  in: 'path' | 'query'
  required: boolean
  description?: string
  schema: JsonSchema
  example?: unknown
}

export type ResponseDescription = { description: string; headers?: Record<string, Reference>; content?: Contents }

export type OperationDescription = {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security: Record<string, string[]>[]
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Contents }
  responses: Record<string, ResponseDescription | Reference>
}

type SecurityScheme = { description: string } & (
  | { type: 'http'; scheme: 'bearer' }
  | { type: 'apiKey'; in: 'header'; name: string }
)

export type OpenApiDocument = {
  openapi: '3.1.1'
  info: { title: string; version: string; summary: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  /** Operations by path and method, in lower case. */
  paths: Record<string, Partial<Record<'get' | 'post' | 'put' | 'patch' | 'delete', OperationDescription>>>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, ResponseDescription>
    headers: Record<string, { description: string; schema: JsonSchema }>
    securitySchemes: Record<string, SecurityScheme>
  }
}

/** `GET /v1/openapi.json`: a document of OpenAPI 3.1, which has a schema of its own. */
export const openApiDocumentSchema = z.looseObject({
  openapi: z.literal('3.1.1'),
  paths: z.record(z.string(), z.unknown()),
})
