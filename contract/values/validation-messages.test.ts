import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { setValidationMessages } from './validation-messages'

beforeAll(setValidationMessages)

/** All exported schemas, by file and name. Views describe answers; nobody sends them. */
async function schemas(): Promise<[string, z.ZodType][]> {
  const root = join(import.meta.dirname, '..')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.ts$/.test(file) && !/\.test\.ts$|^views|^api/.test(file),
  )
  const found: [string, z.ZodType][] = []
  for (const file of files.sort()) {
    const exported = (await import(join(root, file))) as Record<string, unknown>
    for (const [name, value] of Object.entries(exported))
      if (value instanceof z.ZodType) found.push([`${file} ${name}`, value])
  }
  return found
}

const wrong: unknown[] = [
  undefined,
  null,
  '',
  ' ',
  'x',
  'other',
  'x'.repeat(60_000),
  'a\0b',
  -1,
  0.5,
  7,
  1e12,
  Number.NaN,
  true,
  [],
  [7],
  [null],
  ['x'],
  Array(3_000).fill('x'),
  {},
  { x: 7 },
  Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`x${index}`, 'x'])),
]

/** The fields of an object schema, through pipes, wrappers and refinements. */
function fieldsOf(schema: z.core.$ZodType): string[] {
  const {
    shape,
    innerType,
    in: input,
  } = schema._zod.def as {
    shape?: Record<string, z.core.$ZodType>
    innerType?: z.core.$ZodType
    in?: z.core.$ZodType
  }
  if (shape) return Object.keys(shape)
  const inner = innerType ?? input
  return inner ? fieldsOf(inner) : []
}

it('says nothing in the words of the validation library, whatever is wrong', async () => {
  const library = z.locales.en().localeError
  const found = await schemas()
  expect(found.length).toBeGreaterThan(40)
  const raw: string[] = []
  let messages = 0
  for (const [name, schema] of found) {
    const fields = fieldsOf(schema)
    const nested = fields.flatMap((field) => wrong.map((value) => ({ [field]: value })))
    const inner = fields.flatMap((field) =>
      wrong.map((value) => ({ [field]: [{ type: 'text', role: 'user', content: value, text: value }] })),
    )
    for (const input of [...wrong, ...nested, ...inner]) {
      for (const issue of schema.safeParse(input, { reportInput: true }).error?.issues ?? []) {
        messages += 1
        const { message, ...rest } = issue
        const told = library(rest as z.core.$ZodRawIssue)
        const theirs = typeof told === 'string' ? told : told?.message
        if (message === theirs) raw.push(`${name} ${issue.path.join('.')}: ${message}`)
      }
    }
  }
  expect(messages).toBeGreaterThan(1_000)
  expect([...new Set(raw)]).toEqual([])
})
