/** Counters of the sketch, two bytes each, independent of the size of the site. */
const cells = 1 << 20
const maxCount = 65_535
/** Pages that a block of content must be on. A smaller site has no boilerplate. */
const minRepeats = 4
/** Distinct blocks around pages, and distinct contacts, that are counted; further ones are ignored. */
const maxAroundBlocks = 20_000
const maxContacts = 20_000

/** Content is boilerplate from this number of pages: more than half of them, and at least four. */
function repeatsAmong(pages: number): number {
  return Math.max(minRepeats, Math.floor(pages / 2) + 1)
}

export interface CountedPage {
  id: string
  /** Sorts pages by their distance from the start page; the smallest is closest. */
  rank: string
  /** Hashes of the blocks, each once. */
  content: readonly string[]
  around: readonly string[]
  contacts: readonly string[]
}

interface Counted {
  pages: number
  owner: string
  rank: string
}

/** Blocks that pages of a site have in common, each with the page closest to the start that has it. */
export interface Repetition {
  /** Content of most pages, and contacts on at least two. */
  repeated: Map<string, string>
  /** Blocks around the content of at least two pages, and contacts on one. */
  around: Map<string, string>
}

/**
 * Finds the blocks that pages of a site have in common, in two passes over the pages with bounded memory. The first pass
 * counts in a count-min sketch of one row (Cormode and Muthukrishnan 2005), where hashes may collide. The second counts
 * exactly the hashes whose cell reached the threshold.
 */
export function createRepetitionCount() {
  const sketches = { content: new Uint16Array(cells), around: new Uint16Array(cells) }
  const content = new Map<string, Counted>()
  const around = new Map<string, Counted>()
  const contacts = new Map<string, Counted>()
  let pages = 0

  return {
    /** First pass. */
    sketch(page: CountedPage): void {
      pages++
      for (const hash of page.content) increment(sketches.content, hash)
      for (const hash of page.around) increment(sketches.around, hash)
    },
    /** Second pass, over the same pages. */
    count(page: CountedPage): void {
      const threshold = Math.min(repeatsAmong(pages), maxCount)
      for (const hash of page.content) if (estimate(sketches.content, hash) >= threshold) record(content, hash, page)
      for (const hash of page.around) {
        const hasRoom = around.size < maxAroundBlocks || around.has(hash)
        if (hasRoom && estimate(sketches.around, hash) > 1) record(around, hash, page)
      }
      for (const hash of page.contacts)
        if (contacts.size < maxContacts || contacts.has(hash)) record(contacts, hash, page)
    },
    result(): Repetition {
      const shared = ownersOf(contacts, 2)
      const single = [...ownersOf(contacts, 1)].filter(([hash]) => !shared.has(hash))
      return {
        repeated: new Map([...ownersOf(content, repeatsAmong(pages)), ...shared]),
        around: new Map([...ownersOf(around, 2), ...single]),
      }
    },
  }
}

function increment(sketch: Uint16Array, hash: string): void {
  const cell = cellOf(hash)
  sketch[cell] = Math.min((sketch[cell] ?? 0) + 1, maxCount)
}

/** Never less than the number of pages with the hash, up to the maximum. */
function estimate(sketch: Uint16Array, hash: string): number {
  return sketch[cellOf(hash)] ?? 0
}

function record(counts: Map<string, Counted>, hash: string, { id, rank }: CountedPage): void {
  const known = counts.get(hash)
  if (!known) counts.set(hash, { pages: 1, owner: id, rank })
  else {
    known.pages++
    if (rank < known.rank) Object.assign(known, { owner: id, rank })
  }
}

function ownersOf(counts: Map<string, Counted>, minPages: number): Map<string, string> {
  return new Map([...counts].flatMap(([hash, { pages, owner }]) => (pages >= minPages ? [[hash, owner] as const] : [])))
}

function cellOf(hash: string): number {
  return Number.parseInt(hash.slice(0, 5), 16) % cells
}
