import { Tooltip } from '../floating/tooltip'
import { Sparkline } from './sparkline'

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
  /** Values of the last months, oldest first. */
  trend?: number[]
  format: (value: number) => string
}

/** A tile with a number, its trend, and a bar if the number has a limit. The hint is a tooltip of the label. */
export function Meter({ label, hint, used, limit, period = '', trend = [], format }: MeterProps) {
  const isLimited = limit > 0
  const allowed = isLimited ? `of ${format(limit)}${period}` : 'Unlimited'
  return (
    <li className="min-w-0 bg-surface px-4 py-3">
      {hint ? (
        <Tooltip text={hint}>
          {(described) => (
            <button
              type="button"
              className="block cursor-help text-meta text-soft leading-4 underline decoration-dotted underline-offset-2"
              {...described}
            >
              {label}
            </button>
          )}
        </Tooltip>
      ) : (
        <p className="text-meta text-soft leading-4">{label}</p>
      )}
      <div className="mt-0.5 flex items-end justify-between gap-2">
        <p className="min-w-0 break-words text-[1.125rem] font-semibold leading-6 tabular-nums">{format(used)}</p>
        <Sparkline values={trend} />
      </div>
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
    </li>
  )
}
