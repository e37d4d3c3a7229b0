import { useSyncExternalStore } from 'react'

export interface SharedState<T> {
  get(): T
  set(value: T): void
  /** The value, in a component that is rendered again when it changes. The server renders the initial one. */
  use(): T
}

/** State of the page that belongs to no component. */
export function createSharedState<T>(initial: T): SharedState<T> {
  let current = initial
  const listeners = new Set<() => void>()
  const get = () => current
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    get,
    set(value) {
      current = value
      for (const listener of listeners) listener()
    },
    use: () => useSyncExternalStore(subscribe, get, () => initial),
  }
}
