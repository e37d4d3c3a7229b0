/** The percentile of the times at a share between 0 and 1, as in '12.34 ms'. */
export function percentile(times: number[], share: number): string {
  const sorted = [...times].sort((a, b) => a - b)
  return `${(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN).toFixed(2)} ms`
}

/** Runs `work` for each round in sequence and returns the times in milliseconds. */
export async function timesOf(rounds: number, work: (round: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    await work(round)
    times.push(performance.now() - started)
  }
  return times
}
