import { useSyncExternalStore } from 'react'

const neverChanges = () => () => {}

/** Whether scripts are running: false on the server and in the first render. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
}
