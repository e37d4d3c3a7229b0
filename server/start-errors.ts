// By name: the classes live in parts that a broken native module keeps from loading.
const codes: Record<string, 'configuration' | 'damaged'> = {
  ConfigError: 'configuration',
  SchemaError: 'configuration',
  DatabaseOpenError: 'damaged',
  SecretsError: 'damaged',
  SearchServerError: 'configuration',
  FileStoreError: 'configuration',
}

/** Names what keeps the product from starting, for errors whose message is one line for the operator; else null. */
export function startErrorCode(error: unknown): 'configuration' | 'damaged' | null {
  return error instanceof Error ? (codes[error.name] ?? null) : null
}
