/** What the name of an element says about it. Categories are bits, so that one test can cover several. */
export const category = {
  /** Inline in a line of text. */
  phrasing: 1,
  /** Never text of the page: scripts, navigation, controls. */
  dropped: 2,
  /** Void elements: they never have content. */
  void: 4,
  /** Elements that only style text; may be closed in any order. */
  formatting: 8,
  /** Closes an open paragraph. */
  block: 16,
  /** An end tag inside never closes an element outside ("scope" in the HTML standard). */
  scope: 32,
  heading: 64,
  /** Does not fit into a line of a list or a cell of a table. */
  structure: 256,
  /** A table that contains one is layout. */
  layout: 512,
  list: 1024,
  /** SVG and MathML, in which tags can be self-closing. */
  foreign: 2048,
  cell: 4096,
  /** Closes SVG and MathML that were left open. */
  breakout: 32768,
  rowGroup: 16384,
  /** Raw text elements: nothing inside is markup. */
  rawText: 8192,
  link: 65536,
  /** Typical of documentation: code, terms. */
  documentation: 262144,
  image: 131072,
  /**
   * Elements that are not in the HTML standard. Inline as phrasing is, unless scripts use them as boxes; see
   * `isInline`.
   */
  custom: 524288,
  /** Takes what a visitor enters. */
  field: 1048576,
} as const

const groups: [names: string, bits: number][] = [
  [
    'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark math meter nobr output progress q rb rp rt rtc ruby s samp slot small span strike strong sub sup time tt u var wbr',
    category.phrasing,
  ],
  [
    'annotation annotation-xml script style noscript template svg canvas iframe object embed video audio map head title meta link button input select textarea option datalist nav dialog menu marquee',
    category.dropped,
  ],
  [
    'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr command isindex',
    category.void,
  ],
  ['a b big code em font i nobr s small strike strong tt u', category.formatting],
  [
    'address article aside blockquote center details dialog dir div dl dd dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre search section summary table ul',
    category.block,
  ],
  ['a', category.link],
  ['form input select textarea', category.field],
  ['pre dl', category.documentation],
  ['img picture video', category.image],
  ['table td th caption template object applet marquee foreignobject', category.scope],
  ['h1 h2 h3 h4 h5 h6', category.heading | category.structure | category.layout],
  ['pre table', category.structure | category.layout],
  ['dl blockquote', category.structure],
  ['ul ol', category.list],
  ['svg math', category.foreign],
  [
    'html head body frameset noframes tr caption colgroup legend optgroup picture xmp listing plaintext foreignobject',
    0,
  ],
  ['td th', category.cell],
  ['thead tbody tfoot', category.rowGroup],
  [
    'b big blockquote br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 hr i img li menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var',
    category.breakout,
  ],
  ['script style textarea title xmp iframe noembed', category.rawText],
]

const categories = new Map<string, number>()
for (const [names, bits] of groups) {
  for (const name of names.split(' ')) categories.set(name, (categories.get(name) ?? 0) | bits)
}

/** Returns the categories of an element, as bits of `category`, by its name in lower case. */
export function categoriesOf(name: string): number {
  return categories.get(name) ?? category.phrasing | category.custom
}
