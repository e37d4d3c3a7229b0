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
  format: (value: number) => string
}

export function Meter({ label, hint, used, limit, format }: MeterProps) {
  const value = limit > 0 ? `${format(used)} of ${format(limit)}` : `${format(used)} · Unlimited`
  return (
    <div>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="whitespace-nowrap font-[550]">{label}</span>
        <span className="whitespace-nowrap text-right text-small tabular-nums text-soft">{value}</span>
      </div>
      <progress
        className="bar mt-1.5"
        aria-label={`${label}: ${value}`}
        max={limit > 0 ? limit : 1}
        value={limit > 0 ? Math.min(used, limit) : 0}
        data-level={meterLevel(used, limit)}
      />
      {hint && <p className="mt-1 text-tiny text-soft">{hint}</p>}
    </div>
  )
}
