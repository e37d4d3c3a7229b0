/** A progress bar. Indeterminate while the total is 0. */
export function Progress({ label, done, total }: { label: string; done: number; total: number }) {
  return (
    <progress
      className="bar"
      aria-label={label}
      max={Math.max(total, 1)}
      value={total > 0 ? Math.min(done, total) : undefined}
    />
  )
}
