import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import { openApiDocument } from '../../../contract/api/openapi/openapi'
import type { Contents, JsonSchema, OperationDescription, ResponseDescription } from '../../../contract/views/openapi'

const document = openApiDocument('http://localhost:3000')

interface Described {
  pattern: RegExp
  /** Fewer are matched first: /v1/public/… is no organization's. */
  parameters: number
  methods: Record<string, OperationDescription | undefined>
}

const paths: Described[] = Object.entries(document.paths)
  .map(([path, methods]) => ({
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
    parameters: path.split('{').length,
    methods,
  }))
  .sort((a, b) => a.parameters - b.parameters)

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true })
addFormats(ajv)
for (const [name, schema] of Object.entries(document.components.schemas)) ajv.addSchema(withNames(schema), name)
const validators = new Map<JsonSchema, ValidateFunction>()

interface SentResponse {
  method: string
  path: string
  status: number
  contentType: string
  body: string
}

/** What the description at /v1/openapi.json does not say of a response; empty for calls that it does not have. */
export function undescribed({ method, path, status, contentType, body }: SentResponse): string[] {
  const operation = paths.find(({ pattern }) => pattern.test(path))?.methods[
    (method === 'HEAD' ? 'GET' : method).toLowerCase()
  ]
  if (!operation) return []
  const { operationId } = operation
  const response = responseOf(operation, status)
  const name = `${operationId} (${method} ${path}) responded ${status}`
  if (!response) return [`${name}, which contract/api does not have. Add its code to the errors of the operation.`]
  if (method === 'HEAD') return []
  const { content } = response
  if (!content) return body === '' ? [] : [`${name} with a body, and the description has none.`]
  const type = contentType.split(';')[0] ?? ''
  const described = content[type]
  if (!described) return [`${name} as ${type}, and the description has ${Object.keys(content).join(', ')}.`]
  return problemsOf(type, described, body).map((problem) => `${name}: ${problem}`)
}

/** Compares each response of a server with the description. Returns what did not agree so far. */
export function watchResponses(server: Server): () => string[] {
  const problems: string[] = []
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const url = request.url?.replace(/^https?:\/\/[^/]+/, '') ?? ''
    const [path = ''] = url.split('?')
    if (!path.startsWith('/v1/') || path.endsWith('.data')) return
    const chunks = recordBody(response)
    response.once('finish', () => {
      const { statusCode: status } = response
      const header = (name: string) => String(response.getHeader(name) ?? '')
      const body = decoded(Buffer.concat(chunks), header('content-encoding'))
      problems.push(
        ...undescribed({ method: request.method ?? '', path, status, contentType: header('content-type'), body }),
      )
    })
  })
  return () => [...new Set(problems)]
}

function recordBody(response: ServerResponse): Buffer[] {
  const chunks: Buffer[] = []
  const { write, end } = response
  const keep = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
  }
  response.write = function (this: ServerResponse, ...args: Parameters<typeof write>) {
    keep(args[0])
    return write.apply(this, args)
  } as typeof write
  response.end = function (this: ServerResponse, ...args: Parameters<typeof end>) {
    keep(args[0])
    return end.apply(this, args)
  } as typeof end
  return chunks
}

function decoded(body: Buffer, encoding: string): string {
  const decode = { gzip: gunzipSync, br: brotliDecompressSync, deflate: inflateSync }[encoding]
  return (decode ? decode(body) : body).toString('utf8')
}

function responseOf({ responses }: OperationDescription, status: number): ResponseDescription | undefined {
  const response = responses[status]
  if (!response || !('$ref' in response)) return response
  return document.components.responses[response.$ref.replace('#/components/responses/', '')]
}

function problemsOf(type: string, described: Contents[string], body: string): string[] {
  if (type === 'application/octet-stream') return []
  if (type === 'application/x-ndjson') return []
  if ('schema' in described) return validate(described.schema, JSON.parse(body))
  // The last event of a connection that closed may be incomplete.
  const data = [...body.matchAll(/^data: (.*)\n\n/gm)].map(([, text = '']) => text).filter((text) => text !== '[DONE]')
  return data.flatMap((text) => validate(described['x-event'], JSON.parse(text)))
}

function validate(schema: JsonSchema, value: unknown): string[] {
  const known = validators.get(schema)
  const validator = known ?? ajv.compile(withNames(schema))
  if (!known) validators.set(schema, validator)
  if (validator(value)) return []
  return (validator.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

/** Ajv knows the named schemas by their names. */
function withNames(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"'))
}
