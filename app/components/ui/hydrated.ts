import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** Whether the page's script runs: false on the server and in the first paint. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
