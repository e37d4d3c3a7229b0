import type { Block } from '../../ports'

/** Values of data that are looked at on one page, and how deep they may stand. */
const mostValues = 20_000
const deepest = 40

/** Gathers blocks from data: headings wait until text follows them, and each text is taken once. */
export interface Collector {
  readonly blocks: Block[]
  /** Takes blocks over, with the headings that wait for them. */
  add(blocks: Block[]): void
  /** Does the work one level deeper, under a heading if there is one; nothing when the limits are reached. */
  within(heading: string | null, work: () => void): void
}

export function createCollector(): Collector {
  const blocks: Block[] = []
  const seen = new Set<string>()
  const headings: { text: string; isPlaced: boolean }[] = []
  let depth = 0
  let values = 0

  function placeHeadings(): void {
    headings.forEach((heading, index) => {
      if (heading.isPlaced) return
      heading.isPlaced = true
      if (seen.has(heading.text)) return
      seen.add(heading.text)
      blocks.push({ kind: 'heading', level: Math.min(index + 1, 6), text: heading.text, anchor: null })
    })
  }

  return {
    blocks,
    add(found) {
      if (found.length > 0 && ++values > mostValues) return
      const fresh = found.filter(({ text }) => text !== '' && !seen.has(text))
      if (fresh.some(({ kind }) => kind !== 'heading')) placeHeadings()
      for (const block of fresh) {
        seen.add(block.text)
        blocks.push({ ...block, anchor: null })
      }
    },
    within(heading, work) {
      if (depth >= deepest || values >= mostValues) return
      depth++
      values++
      if (heading) headings.push({ text: heading, isPlaced: false })
      work()
      if (heading) headings.pop()
      depth--
    },
  }
}
