import type { JsonSchema } from '../../../contract/views/openapi'
import type { Field, TypeText } from '../../components/reference/reference-content'

/** The fields of a schema; null if it is no object. */
export function fieldsOf(schema: JsonSchema): Field[] | null {
  const { properties, required = [] } = schema as { properties?: Record<string, JsonSchema>; required?: string[] }
  if (!properties) return null
  return Object.entries(properties).map(([name, field]) => ({
    name,
    type: typeOf(field),
    isRequired: required.includes(name),
    description: [field.description, limitsOf(field)].filter(Boolean).join(' '),
  }))
}

export function typeOf(schema: JsonSchema): TypeText {
  const { $ref, anyOf, oneOf, type, items, prefixItems, enum: choices } = schema as Shape
  if ($ref) return [{ object: $ref.replace('#/components/schemas/', '') }]
  const alternatives = anyOf ?? oneOf
  if (alternatives) return joined(alternatives.map(typeOf), ' | ')
  if (choices) return [choices.map((choice) => JSON.stringify(choice)).join(' | ')]
  if ('const' in schema) return [JSON.stringify(schema.const)]
  if (prefixItems) return ['[', ...joined(prefixItems.map(typeOf), ', '), ']']
  if (type === 'array') {
    const inner = typeOf(items ?? {})
    return isUnion(items ?? {}) ? ['(', ...inner, ')[]'] : [...inner, '[]']
  }
  if (type === 'object') return objectType(schema)
  if (Array.isArray(type)) return [type.join(' | ')]
  return [type ?? 'any']
}

interface Shape {
  $ref?: string
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  type?: string | string[]
  items?: JsonSchema
  prefixItems?: JsonSchema[]
  enum?: unknown[]
}

function objectType(schema: JsonSchema): TypeText {
  const fields = fieldsOf(schema)
  if (!fields) {
    const values = schema.additionalProperties
    return ['{ [name]: ', ...(typeof values === 'object' && values ? typeOf(values as JsonSchema) : ['any']), ' }']
  }
  const listed = fields.map(({ name, type, isRequired }): TypeText => [`${name}${isRequired ? '' : '?'}: `, ...type])
  return ['{ ', ...joined(listed, ', '), ' }']
}

function isUnion({ anyOf, oneOf, enum: choices, type }: JsonSchema): boolean {
  return Boolean(anyOf ?? oneOf ?? choices) || Array.isArray(type)
}

function joined(types: TypeText[], separator: string): TypeText {
  return types.flatMap((type, index) => (index === 0 ? type : [separator, ...type]))
}

/** What a value may be, where the type does not say it. */
function limitsOf({ minimum, maximum, maxLength, maxItems, default: usual, format }: JsonSchema): string {
  const range =
    minimum !== undefined && maximum !== undefined
      ? `${minimum} to ${maximum}.`
      : maximum !== undefined
        ? `At most ${maximum}.`
        : ''
  const length = maxLength === undefined ? '' : `At most ${maxLength} characters.`
  const count = maxItems === undefined ? '' : `At most ${maxItems}.`
  const time = format === 'date-time' ? 'A time in UTC (ISO 8601).' : ''
  const otherwise = usual === undefined || usual === '' ? '' : `Default: ${JSON.stringify(usual)}.`
  return [time, range, length, count, otherwise].filter(Boolean).join(' ')
}
