import { useIsReconnecting } from './ui/browser/network'

/** A bar above the page while it waits for a server that did not respond. */
export function Reconnecting() {
  const isReconnecting = useIsReconnecting()
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 top-0 z-50">
      {isReconnecting && (
        <p className="bg-warning-soft py-0.5 text-center text-small text-warning shadow-high">Reconnecting…</p>
      )}
    </div>
  )
}
