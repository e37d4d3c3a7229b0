/** Placeholder for rows that are being loaded. Appears after a short delay. */
export function Skeleton({ rows = 3, label = 'Loading' }: { rows?: number; label?: string }) {
  return (
    <div role="status" className="late grid gap-2.5 p-4">
      <span className="sr-only">{label}</span>
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <div key={row} className="h-4 animate-pulse rounded-small bg-sunken odd:w-3/4" />
      ))}
    </div>
  )
}
