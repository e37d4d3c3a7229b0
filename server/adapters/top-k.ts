/** Collects the rows with the highest scores, unordered. */
export class TopK {
  private readonly slots: Int32Array
  private readonly scores: Float32Array
  private readonly order: Float32Array
  private count = 0
  private lowest = Number.NEGATIVE_INFINITY
  private isTruncated = false

  /** Keeps `limit` rows. At most `batchSize` are added at a time. */
  constructor(
    private readonly limit: number,
    private readonly batchSize: number,
  ) {
    const room = 2 * limit + batchSize
    this.slots = new Int32Array(room)
    this.scores = new Float32Array(room)
    this.order = new Float32Array(room)
  }

  /** Rows with a lower score are not among the result. Rises as rows are added. */
  threshold(): number {
    return this.lowest
  }

  /** Adds the first `count` rows of a list, all of one block. */
  add(count: number, rows: Int32Array, scores: Float32Array, firstOfBlock: number): void {
    for (let n = 0; n < count; n++) {
      this.slots[this.count] = firstOfBlock + (rows[n] ?? 0)
      this.scores[this.count++] = scores[n] ?? 0
    }
    if (this.count + this.batchSize > this.slots.length) this.keepBest()
  }

  /** The rows, and whether others were left out. */
  result(): { slots: Int32Array; scores: Float32Array; isTruncated: boolean } {
    this.keepBest()
    const { slots, scores, count, isTruncated } = this
    return { slots: slots.slice(0, count), scores: scores.slice(0, count), isTruncated }
  }

  private keepBest(): void {
    const { slots, scores, order, count, limit } = this
    if (count <= limit) return
    order.set(scores.subarray(0, count))
    const lowest = selectHighest(order, count, limit)
    let end = 0
    // Of the rows that equal the lowest score, the first ones stay.
    let tied = limit
    for (let n = 0; n < count; n++) if ((scores[n] ?? 0) > lowest) tied--
    for (let n = 0; n < count; n++) {
      const score = scores[n] ?? 0
      if (score < lowest || (score === lowest && tied-- <= 0)) continue
      slots[end] = slots[n] ?? 0
      scores[end++] = score
    }
    this.count = end
    this.lowest = lowest
    this.isTruncated = true
  }
}

/** The `rank`th highest (from 1) of the first `count` scores, by quickselect (C. A. R. Hoare, 1961). Reorders them. */
export function selectHighest(scores: Float32Array, count: number, rank: number): number {
  let low = 0
  let high = count - 1
  const target = rank - 1
  while (low < high) {
    const pivot = scores[(low + high) >>> 1] ?? 0
    let left = low
    let right = high
    while (left <= right) {
      while ((scores[left] ?? 0) > pivot) left++
      while ((scores[right] ?? 0) < pivot) right--
      if (left > right) break
      const swapped = scores[left] ?? 0
      scores[left++] = scores[right] ?? 0
      scores[right--] = swapped
    }
    if (target <= right) high = right
    else if (target >= left) low = left
    else break
  }
  return scores[target] ?? Number.NEGATIVE_INFINITY
}
