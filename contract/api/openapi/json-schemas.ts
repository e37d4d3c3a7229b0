import { z } from 'zod'
import type { JsonSchema } from '../../views/openapi'

type Io = 'input' | 'output'

export interface JsonSchemas {
  /** Schemas that have a name, by it. */
  named: Record<string, JsonSchema>
  /** Returns the JSON Schema of one of the schemas: a reference if it has a name. */
  of(schema: z.ZodType): JsonSchema
}

/**
 * Converts schemas to JSON Schema (2020-12), as what they take or as what they give. Those of `components` refer to each
 * other by their names.
 */
export function jsonSchemas(components: Record<string, z.ZodType>, others: z.ZodType[], io: Io): JsonSchemas {
  const registry = z.registry<{ id: string }>()
  const names = new Map<z.ZodType, string>()
  for (const [name, schema] of Object.entries(components)) names.set(schema, name)
  for (const schema of others) if (!names.has(schema)) names.set(schema, `unnamed ${names.size}`)
  for (const [schema, id] of names) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, {
    io,
    uri: (id) => `#/components/schemas/${id}`,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Zod limits integers to those of JavaScript, and describes times twice.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
      // Addresses as browsers write them have characters that RFC 3986, which this format means, encodes.
      if (jsonSchema.format === 'uri') {
        delete jsonSchema.format
        jsonSchema.description ??= 'An absolute URL.'
      }
    },
  })
  const clean = Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _, $id: _id, ...schema }]): [string, JsonSchema] => [name, schema]),
  )
  return {
    named: Object.fromEntries(Object.keys(components).map((name) => [name, clean[name] ?? {}])),
    of(schema) {
      const name = names.get(schema) ?? ''
      return name in components ? { $ref: `#/components/schemas/${name}` } : (clean[name] ?? {})
    },
  }
}
