/** A row as JSON has it: a time as `{date}`, bytes as `{base64}`, everything else as it is. */
export function toJson(row: Record<string, unknown>): string {
  const values = Object.entries(row).map(([name, value]) => [name, encode(value)])
  return JSON.stringify(Object.fromEntries(values))
}

export function fromJson(line: string): Record<string, unknown> {
  const row = JSON.parse(line) as Record<string, unknown>
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, decode(value)]))
}

function encode(value: unknown): unknown {
  if (value instanceof Date) return { date: value.toISOString() }
  return value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value
}

function decode(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const [[kind, text] = [], ...more] = Object.entries(value)
  if (more.length > 0 || typeof text !== 'string') return value
  if (kind === 'date') return new Date(text)
  return kind === 'base64' ? Buffer.from(text, 'base64') : value
}
