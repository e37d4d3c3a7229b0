import { useIsReconnecting } from './ui/browser/network'

/** A bar above the page while it waits for a server that did not respond. It leaves the buttons of the header in reach. */
export function Reconnecting() {
  const isReconnecting = useIsReconnecting()
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 top-0 z-50">
      {isReconnecting && (
        <p className="flex justify-center border-warning border-t-2 text-meta text-warning">
          <span className="rounded-b-small bg-warning-soft px-3 shadow-high">Reconnecting…</span>
        </p>
      )}
    </div>
  )
}
