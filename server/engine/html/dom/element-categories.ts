/** What the name of an element says about it; one bit each, so that the tree can be asked for several at once. */
export const kindOf = {
  /** Runs inside of a line of text. */
  phrasing: 1,
  /** Is no text of a page: scripts, navigation, controls. */
  dropped: 2,
  /** Never has content. */
  empty: 4,
  /** Only dresses text; may be closed in any order. */
  formatting: 8,
  /** Ends an open paragraph. */
  block: 16,
  /** An end tag inside never closes what is outside. */
  boundary: 32,
  heading: 64,
  /** A heading that can name a page: h1 and h2. */
  highHeading: 128,
  /** What neither a line of a list nor a cell of a table can hold. */
  structure: 256,
  /** A table that holds one only arranges things. */
  layout: 512,
  list: 1024,
  /** SVG and MathML, in which a tag can close itself. */
  foreign: 2048,
  cell: 4096,
  /** Ends SVG and MathML that were left open. */
  breakout: 32768,
  /** A group of table rows. */
  rows: 16384,
  /** Holds nothing but characters up to its end tag. */
  raw: 8192,
  link: 65536,
  /** Explains things: code, terms. */
  manual: 262144,
  image: 131072,
} as const

const groups: [names: string, kind: number][] = [
  [
    'a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr',
    kindOf.phrasing,
  ],
  [
    'script style noscript template svg canvas iframe object embed video audio map head title meta link button input select textarea option datalist nav dialog menu marquee',
    kindOf.dropped,
  ],
  [
    'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr command isindex',
    kindOf.empty,
  ],
  ['a b big code em font i nobr s small strike strong tt u', kindOf.formatting],
  [
    'address article aside blockquote center details dialog dir div dl dd dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre search section summary table ul',
    kindOf.block,
  ],
  ['a', kindOf.link],
  ['pre dl', kindOf.manual],
  ['img picture video', kindOf.image],
  ['table td th caption template object applet marquee foreignobject', kindOf.boundary],
  ['h1 h2 h3 h4 h5 h6', kindOf.heading | kindOf.structure | kindOf.layout],
  ['h1 h2', kindOf.highHeading],
  ['pre table', kindOf.structure | kindOf.layout],
  ['dl blockquote', kindOf.structure],
  ['ul ol', kindOf.list],
  ['svg math', kindOf.foreign],
  ['td th', kindOf.cell],
  ['thead tbody tfoot', kindOf.rows],
  [
    'b big blockquote br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 hr i img li menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var',
    kindOf.breakout,
  ],
  ['script style textarea title xmp iframe noembed', kindOf.raw],
]

const kinds = new Map<string, number>()
for (const [names, kind] of groups) {
  for (const name of names.split(' ')) kinds.set(name, (kinds.get(name) ?? 0) | kind)
}

/** The kinds of an element by its name in lower case, as bits of `kindOf`; 0 for a name that says nothing. */
export function kindsOf(name: string): number {
  return kinds.get(name) ?? 0
}
