export interface Scores {
  queries: number
  ndcg10: number
  recall5: number
  mrr10: number
}

/** One query: the pages found, best first and each once, and those that answer it, all equally good. */
export interface Judged {
  found: string[]
  gold: ReadonlySet<string>
}

/** Means over the queries of nDCG@10 (binary gains, log2 discount), recall@5 and reciprocal rank within ten. */
export function score(judged: Judged[]): Scores {
  const mean = (of: (first: Judged) => number) =>
    judged.reduce((sum, item) => sum + of(item), 0) / Math.max(1, judged.length)
  return { queries: judged.length, ndcg10: mean(ndcg10), recall5: mean(recall5), mrr10: mean(reciprocalRank10) }
}

function ndcg10({ found, gold }: Judged): number {
  const gain = found.slice(0, 10).reduce((sum, page, n) => sum + (gold.has(page) ? 1 / Math.log2(n + 2) : 0), 0)
  const ideal = Array.from({ length: Math.min(10, gold.size) }, (_, n) => 1 / Math.log2(n + 2)).reduce(
    (a, b) => a + b,
    0,
  )
  return ideal === 0 ? 0 : gain / ideal
}

function recall5({ found, gold }: Judged): number {
  return gold.size === 0 ? 0 : found.slice(0, 5).filter((page) => gold.has(page)).length / gold.size
}

function reciprocalRank10({ found, gold }: Judged): number {
  const place = found.slice(0, 10).findIndex((page) => gold.has(page))
  return place < 0 ? 0 : 1 / (place + 1)
}
