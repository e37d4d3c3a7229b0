/** Cells of the first count: two bytes each, whatever the size of the site. */
const cells = 1 << 20
/** Fewer pages show nothing of what a site repeats. */
export const fewestRepeats = 4

/** On how many of so many pages a block stands that is the site's: on most, and on four at least. */
export function repeatsAmong(pages: number): number {
  return Math.max(fewestRepeats, Math.floor(pages / 2) + 1)
}

/**
 * Finds what most pages of a site have, in two rounds over all pages and with memory that does not grow with them: the
 * first round counts into a table of fixed size, where different hashes may share a cell; the second counts those hashes
 * exactly whose cell reached the number. A count-min sketch (Cormode and Muthukrishnan 2005) of one row.
 */
export function createRepetitionCount() {
  const sketch = new Uint16Array(cells)
  const exact = new Map<string, number>()
  let pages = 0

  return {
    /** First round: the hashes of one page, each once. */
    sketch(hashes: Iterable<string>): void {
      pages++
      for (const hash of hashes) {
        const cell = cellOf(hash)
        const count = sketch[cell] ?? 0
        if (count < 65_535) sketch[cell] = count + 1
      }
    },
    /** Second round, over the same pages. */
    count(hashes: Iterable<string>): void {
      const least = repeatsAmong(pages)
      for (const hash of hashes) {
        if ((sketch[cellOf(hash)] ?? 0) >= Math.min(least, 65_535)) exact.set(hash, (exact.get(hash) ?? 0) + 1)
      }
    },
    repeated(): Set<string> {
      const least = repeatsAmong(pages)
      return new Set([...exact].flatMap(([hash, count]) => (count >= least ? [hash] : [])))
    },
    pages: () => pages,
  }
}

function cellOf(hash: string): number {
  return Number.parseInt(hash.slice(0, 5), 16) % cells
}
