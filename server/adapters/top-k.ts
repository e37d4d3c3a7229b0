/** Collects the rows with the highest scores, unordered. */
export interface TopK {
  /** Rows with a lower score are not among the result. Rises as rows are added. */
  threshold(): number
  /** Adds the first `count` rows of a list, all of one block. */
  add(count: number, rows: Int32Array, scores: Float32Array, firstOfBlock: number): void
  /** The rows, and whether others were left out. */
  result(): { slots: Int32Array; scores: Float32Array; isTruncated: boolean }
}

/** Keeps `limit` rows. At most `batchSize` are added at a time. */
export function createTopK(limit: number, batchSize: number): TopK {
  const room = 2 * limit + batchSize
  const slots = new Int32Array(room)
  const scores = new Float32Array(room)
  const order = new Float32Array(room)
  let count = 0
  let threshold = Number.NEGATIVE_INFINITY
  let isTruncated = false

  return {
    threshold: () => threshold,

    add(number, rows, found, firstOfBlock) {
      for (let n = 0; n < number; n++) {
        slots[count] = firstOfBlock + (rows[n] ?? 0)
        scores[count++] = found[n] ?? 0
      }
      if (count + batchSize > room) keepBest()
    },

    result() {
      keepBest()
      return { slots: slots.slice(0, count), scores: scores.slice(0, count), isTruncated }
    },
  }

  function keepBest(): void {
    if (count <= limit) return
    order.set(scores.subarray(0, count))
    threshold = selectHighest(order, count, limit)
    let end = 0
    // Of the rows that equal the threshold, the first ones stay.
    let tied = limit
    for (let n = 0; n < count; n++) if ((scores[n] ?? 0) > threshold) tied--
    for (let n = 0; n < count; n++) {
      const score = scores[n] ?? 0
      if (score < threshold || (score === threshold && tied-- <= 0)) continue
      slots[end] = slots[n] ?? 0
      scores[end++] = score
    }
    count = end
    isTruncated = true
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
