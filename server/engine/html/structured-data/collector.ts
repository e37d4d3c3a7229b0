import type { Block } from '../../ports/extractor'

/** Values read on one page, and the depth at which they are read. */
const maxValues = 20_000
const maxDepth = 40

/** Collects blocks from data. A heading is added once text follows it, and each text is added once. */
export interface Collector {
  readonly blocks: Block[]
  /** Adds blocks, after pending headings. */
  add(blocks: Block[]): void
  /** Runs `work` one level deeper, below a heading if there is one. Does nothing once the limits are reached. */
  nest(heading: string | null, work: () => void): void
}

export function createCollector(): Collector {
  const blocks: Block[] = []
  const seen = new Set<string>()
  const headings: { text: string; isAdded: boolean }[] = []
  let depth = 0
  let values = 0

  function addHeadings(): void {
    headings.forEach((heading, index) => {
      if (heading.isAdded) return
      heading.isAdded = true
      if (seen.has(heading.text)) return
      seen.add(heading.text)
      blocks.push({ kind: 'heading', level: Math.min(index + 1, 6), text: heading.text, anchor: null })
    })
  }

  return {
    blocks,
    add(candidates) {
      if (candidates.length > 0 && ++values > maxValues) return
      const fresh = candidates.filter(({ text }) => text !== '' && !seen.has(text))
      if (fresh.some(({ kind }) => kind !== 'heading')) addHeadings()
      for (const block of fresh) {
        seen.add(block.text)
        blocks.push({ ...block, anchor: null })
      }
    },
    nest(heading, work) {
      if (depth >= maxDepth || values >= maxValues) return
      depth++
      values++
      if (heading) headings.push({ text: heading, isAdded: false })
      work()
      if (heading) headings.pop()
      depth--
    },
  }
}
