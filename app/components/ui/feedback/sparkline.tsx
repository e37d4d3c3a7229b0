const width = 64
const height = 18

/** The course of a value as a line without axes, from the oldest value to the latest. Nothing for fewer than two. */
export function Sparkline({ values }: { values: number[] }) {
  if (values.length < 2) return null
  const most = Math.max(...values, 1)
  const points = values.map((value, index) => {
    const x = 1 + (index * (width - 4)) / (values.length - 1)
    return `${x.toFixed(1)},${(height - 2 - (value * (height - 4)) / most).toFixed(1)}`
  })
  const [x, y] = (points.at(-1) ?? '').split(',')
  return (
    <svg width={width} height={height} className="shrink-0 text-accent" aria-hidden="true">
      <polyline points={points.join(' ')} fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round" />
      <circle cx={x} cy={y} r="2" fill="currentColor" />
    </svg>
  )
}
