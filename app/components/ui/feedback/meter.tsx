/** 'warning' above 50 % of the limit, 'danger' above 75 %. A limit of 0 is no limit. */
export function meterLevel(used: number, limit: number): 'normal' | 'warning' | 'danger' {
  if (limit <= 0) return 'normal'
  const share = used / limit
  return share > 0.75 ? 'danger' : share > 0.5 ? 'warning' : 'normal'
}

interface MeterProps {
  label: string
  hint?: string
  used: number
  /** 0 means unlimited. */
  limit: number
  /** Follows the limit: ' this month'. */
  period?: string
  format: (value: number) => string
}

/** A tile with a number, and a bar if the number has a limit. */
export function Meter({ label, hint, used, limit, period = '', format }: MeterProps) {
  const isLimited = limit > 0
  const allowed = isLimited ? `of ${format(limit)}${period}` : 'Unlimited'
  return (
    <li className="min-w-0 bg-surface px-4 py-3">
      <p className="text-meta text-soft">{label}</p>
      <p className="mt-0.5 break-words text-[1.125rem] font-semibold leading-6 tabular-nums">{format(used)}</p>
      <p className="text-meta text-soft tabular-nums">{allowed}</p>
      {isLimited && (
        <progress
          className="bar mt-2"
          aria-label={`${label}: ${format(used)} ${allowed}`}
          max={limit}
          value={Math.min(used, limit)}
          data-level={meterLevel(used, limit)}
        />
      )}
      {hint && <p className="mt-1.5 text-meta text-soft">{hint}</p>}
    </li>
  )
}
