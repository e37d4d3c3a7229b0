import { operationGroups } from '../../../contract/api/groups'
import { bodyComponents } from '../../../contract/api/openapi/components'
import { curlOf, javascriptOf } from '../../../contract/api/openapi/example-code'
import type { Operation } from '../../../contract/api/operation'
import type {
  Contents,
  JsonSchema,
  OpenApiDocument,
  OperationDescription,
  ResponseDescription,
} from '../../../contract/views/openapi'
import type {
  Reference,
  ReferenceContent,
  ReferenceExample,
  ReferenceOperation,
} from '../../components/reference/reference-content'
import { fieldsOf, typeOf } from './type-text.server'

/** What the page /help/api shows of the description. */
export function referenceOf(document: OpenApiDocument): Reference {
  const publicUrl = document.servers[0]?.url ?? ''
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  return {
    groups: operationGroups.map(({ name, description, operations }) => ({
      name,
      anchor: name.toLowerCase().replaceAll(' ', '-'),
      description,
      operations: all
        .filter(({ operation }) => operation.tags.includes(name))
        .map((item) => operationOf(document, item)),
      examples: operations.flatMap((operation) => examplesOf(operation, publicUrl)),
    })),
    objects: Object.entries(document.components.schemas).map(([name, schema]) => ({
      name,
      isSent: name in bodyComponents,
      fields: fieldsOf(schema),
      type: typeOf(schema),
    })),
  }
}

/** The examples of an operation that have a title, as code. */
function examplesOf(operation: Operation, publicUrl: string): ReferenceExample[] {
  return (operation.examples ?? []).flatMap((example) => {
    const { title } = example
    if (title === undefined) return []
    const [curl, javascript] = [curlOf(operation, example, publicUrl), javascriptOf(operation, example, publicUrl)]
    return [{ title, curl, javascript }]
  })
}

interface Listed {
  path: string
  method: string
  operation: OperationDescription
}

function operationOf(document: OpenApiDocument, { path, method, operation }: Listed): ReferenceOperation {
  const { operationId, summary, description = '', security, parameters, requestBody, responses } = operation
  const fields = { properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])) }
  const types = fieldsOf(fields) ?? []
  return {
    id: operationId,
    method,
    path,
    summary,
    description,
    callers: callersOf(security),
    parameters: types.map((field, index) => {
      const { required = false, description: about = '', in: place } = parameters[index] ?? {}
      const text = [about, field.description].filter(Boolean).join(' ')
      return { ...field, isRequired: required, description: place === 'path' ? 'In the path.' : text }
    }),
    body: requestBody ? { isRequired: requestBody.required, contents: contentsOf(requestBody.content) } : null,
    responses: Object.entries(responses).map(([status, response]) => {
      const { description: about, content = {} } = '$ref' in response ? responseOf(document, response.$ref) : response
      return { status, description: about, contents: contentsOf(content) }
    }),
  }
}

function responseOf(document: OpenApiDocument, reference: string): ResponseDescription {
  return document.components.responses[reference.replace('#/components/responses/', '')] ?? { description: '' }
}

const callerTexts: Record<string, string> = {
  personToken: 'an access token of a person',
  publicKey: 'the public key',
  privateKey: 'the private key',
  visitorToken: 'X-Visitor-Token',
}

function callersOf(security: OperationDescription['security']): string {
  const alternatives = security.map((schemes) =>
    Object.keys(schemes)
      .map((name) => callerTexts[name])
      .join(' and '),
  )
  const needed = alternatives.filter(Boolean)
  return needed.length === 0 ? 'Needs no token.' : `With ${needed.join('; or ')}.`
}

/** Media types with the same content share one entry. */
function contentsOf(content: Contents): ReferenceContent[] {
  const byShape = new Map<string, ReferenceContent>()
  for (const [mediaType, described] of Object.entries(content)) {
    const shape = JSON.stringify(described)
    const known = byShape.get(shape)
    if (known) known.mediaTypes.push(mediaType)
    else byShape.set(shape, contentOf(mediaType, described))
  }
  return [...byShape.values()]
}

function contentOf(mediaType: string, described: Contents[string]): ReferenceContent {
  const isStream = 'x-event' in described
  const schema: JsonSchema = isStream ? described['x-event'] : described.schema
  return { mediaTypes: [mediaType], fields: isStream ? null : fieldsOf(schema), type: typeOf(schema), isStream }
}
