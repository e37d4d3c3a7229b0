/** The end of an axis: the next of 2, 4, 10, 20, 40, 60, 80, 100, 200 and so on, half of which is a whole number. */
export function niceMaximum(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)))
  const step = [1, 2, 4, 6, 8, 10].find((factor) => factor * power >= value && (factor * power) % 2 === 0)
  return (step ?? 10) * power
}
