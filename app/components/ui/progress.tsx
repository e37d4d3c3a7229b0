/** Work under way: done of total. Without a total it only says that something runs. */
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
