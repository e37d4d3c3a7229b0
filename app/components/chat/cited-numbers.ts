const code = /(`{3,}|~{3,})[\s\S]*?(?:\1|$)|(`+)[^`]*\2/g
const citation = /\[(\d{1,2})\]/g

/** Returns the numbers that an answer cites so far, in the order of the text. Numbers in code are none. */
export function citedNumbers(answer: string, count: number): number[] {
  const numbers = [...answer.replace(code, ' ').matchAll(citation)].map((match) => Number(match[1]))
  return [...new Set(numbers)].filter((number) => number >= 1 && number <= count)
}
