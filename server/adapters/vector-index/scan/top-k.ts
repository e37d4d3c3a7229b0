/** The rows with the highest scores of many, in no order. */
export interface Best {
  /** A row with a lower score is not among them; it rises as rows are taken. */
  threshold(): number
  /** Takes the first rows of a list, all of them of one block. */
  take(count: number, rows: Int32Array, scores: Float32Array, firstOfBlock: number): void
  /** Those that were kept, at most as many as asked for, and whether others were left out. */
  end(): { slots: Int32Array; scores: Float32Array; isCut: boolean }
}

/** Keeps that many. Rows come in blocks of at most `atOnce`. */
export function createBest(many: number, atOnce: number): Best {
  const room = 2 * many + atOnce
  const slots = new Int32Array(room)
  const scores = new Float32Array(room)
  const order = new Float32Array(room)
  let count = 0
  let threshold = Number.NEGATIVE_INFINITY
  let isCut = false

  return {
    threshold: () => threshold,

    take(number, rows, found, firstOfBlock) {
      for (let n = 0; n < number; n++) {
        slots[count] = firstOfBlock + (rows[n] ?? 0)
        scores[count++] = found[n] ?? 0
      }
      if (count + atOnce > room) keepBest()
    },

    end() {
      keepBest()
      return { slots: slots.slice(0, count), scores: scores.slice(0, count), isCut }
    },
  }

  function keepBest(): void {
    if (count <= many) return
    order.set(scores.subarray(0, count))
    threshold = selectHighest(order, count, many)
    let kept = 0
    // Of equal ones at the border the first stay.
    let atBorder = many
    for (let n = 0; n < count; n++) if ((scores[n] ?? 0) > threshold) atBorder--
    for (let n = 0; n < count; n++) {
      const score = scores[n] ?? 0
      if (score < threshold || (score === threshold && atBorder-- <= 0)) continue
      slots[kept] = slots[n] ?? 0
      scores[kept++] = score
    }
    count = kept
    isCut = true
  }
}

/** The score at place `rank` (from 1) among the first `count`, were they sorted downwards. Moves them (C. A. R. Hoare, 1961). */
export function selectHighest(scores: Float32Array, count: number, rank: number): number {
  let low = 0
  let high = count - 1
  const wanted = rank - 1
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
    if (wanted <= right) high = right
    else if (wanted >= left) low = left
    else break
  }
  return scores[wanted] ?? Number.NEGATIVE_INFINITY
}
