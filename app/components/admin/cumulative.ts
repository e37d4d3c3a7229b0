import type { GrowthPoint } from '../../../contract/views/admin'

/** The chart begins at zero, on the last of these days before anybody registered. */
const zeroDates = ['2026-01-01', '2020-01-01', '1970-01-01']

/** Adds up the counts of the days, from a point without any users. */
export function cumulative(points: GrowthPoint[]): GrowthPoint[] {
  let total = 0
  const sums = points.map(({ date, count }) => {
    total += count
    return { date, count: total }
  })
  const [first] = points
  const date = zeroDates.find((zeroDate) => first === undefined || zeroDate < first.date)
  return date === undefined ? sums : [{ date, count: 0 }, ...sums]
}
