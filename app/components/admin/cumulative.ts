import type { GrowthPoint } from '../../../contract/views/admin'

/** Before anybody can have registered, so that the chart begins at zero. */
const zeroPoint: GrowthPoint = { date: '2020-01-01', count: 0 }

/** Adds up the counts of the days, from a point without any users. */
export function cumulative(points: GrowthPoint[]): GrowthPoint[] {
  let total = 0
  const sums = points.map(({ date, count }) => {
    total += count
    return { date, count: total }
  })
  return [zeroPoint, ...sums]
}
