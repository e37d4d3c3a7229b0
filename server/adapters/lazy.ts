/** Makes a value when it is first needed, and keeps it. */
export function lazy<Value>(make: () => Value): () => Value {
  let created: { value: Value } | null = null
  return () => {
    created ??= { value: make() }
    return created.value
  }
}
