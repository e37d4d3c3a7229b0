import { Area, AreaChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import type { GrowthPoint } from '../../../contract/views/admin'
import { formatCount } from '../ui/format'

const height = 256
const tick = { fill: 'var(--text-soft)', fontSize: 12 }

/** The number of users over time. Drawn by a script, so the page also states the number of today. */
export function GrowthChart({ points }: { points: GrowthPoint[] }) {
  return (
    <ResponsiveContainer width="100%" height={height}>
      <AreaChart data={points} margin={{ top: 8, right: 8, bottom: 0, left: 0 }} title="User Growth">
        <XAxis
          dataKey={timeOf}
          type="number"
          scale="time"
          domain={['dataMin', 'dataMax']}
          tickFormatter={dayOf}
          tick={tick}
          stroke="var(--line-strong)"
          minTickGap={48}
        />
        <YAxis tick={tick} stroke="var(--line-strong)" allowDecimals={false} width={48} />
        <Tooltip content={PointTooltip} cursor={{ stroke: 'var(--line-strong)' }} isAnimationActive={false} />
        <Area
          dataKey="count"
          type="monotone"
          stroke="var(--accent)"
          strokeWidth={2}
          fill="var(--accent)"
          fillOpacity={0.16}
          isAnimationActive={false}
        />
      </AreaChart>
    </ResponsiveContainer>
  )
}

function timeOf({ date }: GrowthPoint): number {
  return Date.parse(date)
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

interface PointTooltipProps {
  active?: boolean
  payload?: readonly { payload?: GrowthPoint }[]
}

/** '12 users - 2026-01-31'. */
function PointTooltip({ active, payload }: PointTooltipProps) {
  const point = payload?.[0]?.payload
  if (!active || !point) return null
  return (
    <p className="rounded-small border border-line bg-raised px-2.5 py-1.5 text-meta text-text tabular-nums shadow-high">
      {formatCount(point.count)} users - {point.date}
    </p>
  )
}
