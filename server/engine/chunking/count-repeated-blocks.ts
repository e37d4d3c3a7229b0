/** Cells of the first count: two bytes each, whatever the size of the site. */
const cells = 1 << 20
/** Fewer pages show nothing of what a site repeats. */
const fewestRepeats = 4
/** Blocks around pages that are told apart; the first ones found count. */
const mostAround = 20_000

/** On how many of so many pages a block stands that is the site's: on most, and on four at least. */
function repeatsAmong(pages: number): number {
  return Math.max(fewestRepeats, Math.floor(pages / 2) + 1)
}

export interface CountedPage {
  id: string
  /** Orders pages by their nearness to the start; the smallest is nearest. */
  rank: string
  content: readonly string[]
  around: readonly string[]
}

interface Counted {
  pages: number
  owner: string
  rank: string
}

/** What the pages of a site have in common. */
export interface Repetition {
  /** Content that stands on most pages, with the page that keeps it. */
  repeated: Map<string, string>
  /** What stands around two pages or more, likewise. */
  around: Map<string, string>
}

/**
 * Finds what pages of a site have in common, in two rounds over all of them and with memory that does not grow with them:
 * the first round counts into tables of fixed size, where different hashes may share a cell; the second counts those
 * hashes exactly whose cell reached the number. A count-min sketch (Cormode and Muthukrishnan 2005) of one row.
 */
export function createRepetitionCount() {
  const sketches = { content: new Uint16Array(cells), around: new Uint16Array(cells) }
  const content = new Map<string, Counted>()
  const around = new Map<string, Counted>()
  let pages = 0

  return {
    /** First round. */
    sketch(page: CountedPage): void {
      pages++
      for (const hash of page.content) add(sketches.content, hash)
      for (const hash of page.around) add(sketches.around, hash)
    },
    /** Second round, over the same pages. */
    count(page: CountedPage): void {
      const least = Math.min(repeatsAmong(pages), most)
      for (const hash of page.content) if (countIn(sketches.content, hash) >= least) note(content, hash, page)
      for (const hash of page.around) {
        const isWanted = countIn(sketches.around, hash) > 1 && (around.size < mostAround || around.has(hash))
        if (isWanted) note(around, hash, page)
      }
    },
    result(): Repetition {
      return { repeated: ownersOf(content, repeatsAmong(pages)), around: ownersOf(around, 2) }
    },
  }
}

const most = 65_535

function add(sketch: Uint16Array, hash: string): void {
  const cell = cellOf(hash)
  sketch[cell] = Math.min((sketch[cell] ?? 0) + 1, most)
}

function countIn(sketch: Uint16Array, hash: string): number {
  return sketch[cellOf(hash)] ?? 0
}

function note(counts: Map<string, Counted>, hash: string, { id, rank }: CountedPage): void {
  const known = counts.get(hash)
  if (!known) counts.set(hash, { pages: 1, owner: id, rank })
  else {
    known.pages++
    if (rank < known.rank) Object.assign(known, { owner: id, rank })
  }
}

function ownersOf(counts: Map<string, Counted>, least: number): Map<string, string> {
  return new Map([...counts].flatMap(([hash, { pages, owner }]) => (pages >= least ? [[hash, owner] as const] : [])))
}

function cellOf(hash: string): number {
  return Number.parseInt(hash.slice(0, 5), 16) % cells
}
