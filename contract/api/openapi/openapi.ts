import type { z } from 'zod'
import { type ErrorCode, errorMeanings, statusOf } from '../../values/error-codes'
import { openAiErrorSchema } from '../../views/chat/openai'
import type {
  BodyExamples,
  Contents,
  JsonSchema,
  OpenApiDocument,
  OperationDescription,
  Parameter,
} from '../../views/openapi'
import { problemSchema } from '../../views/problem'
import { exampleIds, pathVariables, withValues } from '../examples'
import { operationGroups } from '../groups'
import { errorsOf, type NamedOperation, pathParameters } from '../operation'
import { bodyComponents, responseComponents } from './components'
import { type JsonSchemas, jsonSchemas } from './json-schemas'

type Responses = OpenApiDocument['components']['responses']
type Security = OperationDescription['security']

let paths: OpenApiDocument['paths'] | null = null
let components: OpenApiDocument['components'] | null = null

/** Describes /v1 in OpenAPI 3.1, from the schemas that its routes use. */
export function openApiDocument(publicUrl: string): OpenApiDocument {
  if (paths === null || components === null) ({ paths, components } = build())
  return {
    openapi: '3.1.1',
    info: {
      title: 'Sitelore',
      version: '1',
      summary: 'Websites and files as a vector database with chat agents.',
      description: `Programs use the same services as the dashboard. ${publicUrl}/help/http-api explains the calls; ${publicUrl}/help/api has examples.`,
    },
    servers: [{ url: publicUrl }],
    tags: operationGroups.map(({ name, description }) => ({ name, description })),
    paths,
    components,
  }
}

function build(): Pick<OpenApiDocument, 'paths' | 'components'> {
  const all = operationGroups.flatMap(({ operations }) => operations)
  const outputs = jsonSchemas(responseComponents, all.flatMap(responsesOf), 'output')
  const inputs = jsonSchemas(bodyComponents, all.flatMap(bodiesOf), 'input')
  const responses: Responses = {}
  const paths: OpenApiDocument['paths'] = {}
  for (const { name, operations } of operationGroups) {
    for (const operation of operations) {
      const method = operation.method.toLowerCase() as Lowercase<NamedOperation['method']>
      const described = describe(operation, name, { outputs, inputs, responses })
      paths[operation.path] = { ...paths[operation.path], [method]: described }
    }
  }
  const schemas = { ...outputs.named, ...inputs.named }
  return { paths, components: { schemas, responses, headers, securitySchemes } }
}

interface Parts {
  outputs: JsonSchemas
  inputs: JsonSchemas
  /** Gets the errors that operations refer to. */
  responses: Responses
}

function describe(operation: NamedOperation, tag: string, { outputs, inputs, responses }: Parts): OperationDescription {
  const { id, summary, role } = operation
  const requestBody = requestBodyOf(operation, inputs)
  const description = [operation.description, role && roleNotes[role]].filter(Boolean).join(' ')
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    security: securityOf(operation),
    parameters: [...pathParameters(operation).map(pathParameter), ...queryParameters(operation, inputs)],
    ...(requestBody && { requestBody }),
    responses: { ...successOf(operation, outputs), ...failuresOf(operation, outputs, responses) },
  }
}

const roleNotes = {
  member: 'For members and administrators.',
  admin: 'For administrators.',
  staff: 'For platform administrators.',
}

function responsesOf({ response, events }: NamedOperation): z.ZodType[] {
  return [response, events].filter((schema) => schema !== undefined)
}

function bodiesOf({ query, body, documentedBody, upload }: NamedOperation): z.ZodType[] {
  return [query, documentedBody ?? body, upload?.fields, upload?.file].filter((schema) => schema !== undefined)
}

function securityOf({ callers, visitorToken }: NamedOperation): Security {
  if (callers === 'everybody') return [{}]
  if (callers === 'private-key') return [{ privateKey: [] }]
  const keys: Security = [{ publicKey: [] }, { privateKey: [] }]
  const visitors = keys.map((key) => ({ ...key, visitorToken: [] }))
  const people: Security = callers === 'key' ? [] : [{ personToken: [] }]
  if (callers === 'person') return people
  return [...people, ...(visitorToken === 'required' ? [] : keys), ...(visitorToken ? visitors : [])]
}

function pathParameter(name: string): Parameter {
  const example = withValues(`$${pathVariables[name]}`, exampleIds)
  return { name, in: 'path', required: true, schema: { type: 'string', minLength: 1 }, example }
}

function queryParameters({ query, examples = [] }: NamedOperation, inputs: JsonSchemas): Parameter[] {
  if (!query) return []
  const { properties = {}, required = [] } = inputs.of(query)
  const shown = Object.assign({}, ...examples.map((example) => example.query).reverse()) as Record<string, string>
  return Object.entries(properties as Record<string, JsonSchema>).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: (required as string[]).includes(name) && !('default' in schema),
    ...(typeof description === 'string' && { description }),
    schema,
    ...(name in shown && { example: queryValue(withValues(shown[name], exampleIds), schema) }),
  }))
}

/** The value that a text in a query has. */
function queryValue(text: unknown, { type }: JsonSchema): unknown {
  if (type === 'array') return [text]
  return type === 'integer' || type === 'number' ? Number(text) : text
}

/** The examples of a body, by names that are unique in it. */
function bodyExamples({ examples = [] }: NamedOperation): BodyExamples | undefined {
  const bodies = examples.filter(({ body, streams }) => body && !streams)
  if (bodies.length === 0) return undefined
  return Object.fromEntries(
    bodies.map(({ title, body }, index) => [
      `example${index + 1}`,
      { ...(title && { summary: title }), value: withValues(body, exampleIds) },
    ]),
  )
}

function requestBodyOf(operation: NamedOperation, inputs: JsonSchemas): OperationDescription['requestBody'] {
  const { body, documentedBody = body, upload, form = false, optional = false } = operation
  if (upload) {
    const fields = inputs.of(upload.fields)
    const file = withFile(inputs.of(upload.file))
    return {
      required: true,
      content: { ...jsonOr(operation, fields), 'multipart/form-data': { schema: { anyOf: [fields, file] } } },
    }
  }
  if (!documentedBody) return undefined
  const schema = inputs.of(documentedBody)
  const multipart: Contents = form ? { 'multipart/form-data': { schema } } : {}
  return { required: !optional, content: { ...jsonOr(operation, schema, form), ...multipart } }
}

function jsonOr(operation: NamedOperation, schema: JsonSchema, form = true): Contents {
  const examples = bodyExamples(operation)
  return {
    'application/json': { schema, ...(examples && { examples }) },
    ...(form && { 'application/x-www-form-urlencoded': { schema } }),
  }
}

/** Adds the file to the fields that are sent with it. */
function withFile({ properties = {}, required = [], ...schema }: JsonSchema): JsonSchema {
  const file = { type: 'string', contentMediaType: 'application/octet-stream', format: 'binary' }
  return {
    ...schema,
    properties: { ...(properties as JsonSchema), file },
    required: [...(required as string[]), 'file'],
  }
}

function successOf(operation: NamedOperation, outputs: JsonSchemas): OperationDescription['responses'] {
  const { response, events, file, status = 200 } = operation
  const content: Contents = {
    ...(response && { 'application/json': { schema: outputs.of(response) } }),
    ...(events && { 'text/event-stream': { 'x-event': outputs.of(events) } }),
    ...(file && { [file]: { schema: { type: 'string', format: 'binary' } } }),
  }
  const isEmpty = Object.keys(content).length === 0
  const named = { headers: requestId }
  if (isEmpty) return { 204: { description: 'Done, without a body.', ...named } }
  return { [status]: { description: events && !response ? 'A stream of events.' : 'Success.', ...named, content } }
}

function failuresOf(operation: NamedOperation, outputs: JsonSchemas, responses: Responses) {
  const codes = errorsOf(operation)
  const failures: OperationDescription['responses'] = {}
  for (const status of [...new Set(codes.map((code) => statusOf[code]))].sort()) {
    const ofStatus = codes.filter((code) => statusOf[code] === status)
    failures[status] = failure(ofStatus)
  }
  failures[500] = failure(['internal'])
  return failures

  /** Refers to the error of these codes, which have one status. */
  function failure(ofStatus: (ErrorCode | 'internal')[]): { $ref: string } {
    const name = [...(operation.errorFormat === 'openai' ? ['openai'] : []), ...ofStatus].join('.')
    const meanings = ofStatus.map((code) =>
      code === 'internal' ? 'Something unexpected; the log says what.' : errorMeanings[code],
    )
    // Requests that reach no route are rejected with a problem.
    const isProblem =
      operation.errorFormat !== 'openai' || ofStatus.some((code) => code === 'invalid_input' || code === 'internal')
    responses[name] = {
      description: ofStatus.map((code, index) => `\`${code}\`: ${meanings[index]}`).join(' '),
      headers: {
        ...requestId,
        ...(ofStatus.includes('rate_limited') && { 'Retry-After': { $ref: '#/components/headers/Retry-After' } }),
      },
      content: {
        ...(operation.errorFormat === 'openai' && { 'application/json': { schema: outputs.of(openAiErrorSchema) } }),
        ...(isProblem && { 'application/problem+json': { schema: outputs.of(problemSchema) } }),
      },
    }
    return { $ref: `#/components/responses/${name}` }
  }
}

const requestId = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } }

const headers: OpenApiDocument['components']['headers'] = {
  'X-Request-Id': { description: 'Identifies the request in the log.', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds until the same request can succeed.', schema: { type: 'integer' } },
}

const securitySchemes: OpenApiDocument['components']['securitySchemes'] = {
  personToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'A personal access token from the account page, or an access token from the identity provider.',
  },
  publicKey: {
    type: 'http',
    scheme: 'bearer',
    description: "An agent's public key, for web pages of its allowed origins.",
  },
  privateKey: {
    type: 'http',
    scheme: 'bearer',
    description: "An agent's private key, for programs at its allowed IP addresses.",
  },
  visitorToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Visitor-Token',
    description: 'The `visitorToken` from the first response of the thread.',
  },
}
