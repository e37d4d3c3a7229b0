/** Makes a value when it is first needed, and keeps it. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
