export type Tone = 'neutral' | 'running' | 'success' | 'warning' | 'danger'

/** A status as a word. The colour and the shape of its dot only repeat it. */
export function StatusBadge({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className="status" data-tone={tone}>
      {children}
    </span>
  )
}
