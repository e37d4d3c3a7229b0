import { kindOf } from './element-kinds'
import { attributeOf, type PageElement } from './page-element'

/** What the class and the id of an element say about it, one bit each. */
export const named = {
  /** Holds the text of the page. */
  content: 1,
  /** What readers wrote below the text. */
  comments: 2,
  /** Beside the text on any page: share buttons, related pages, side columns, advertisements, subscriptions. */
  extra: 4,
  /** May hold text, but most often leads to other pages. */
  listing: 8,
  /** When, by whom, under which topics: a line about the text. */
  meta: 16,
  /** Asks for consent, also in place of something from elsewhere. */
  consent: 32,
  /** A piece of a page that was put together of such: of the text, or of what stands beside it. */
  widget: 64,
  /** The words of a picture. */
  caption: 512,
  /** The foot of the page. */
  foot: 524288,
  /** A column beside another, or something laid over the page. */
  column: 128,
  /** Advertisements, and what may be around them. */
  advert: 256,
} as const

/** Words as they stand in names, each at the start of a word: 'share' is found in 'share-bar' and 'share_this'. */
const groups: [bit: number, words: RegExp][] = [
  [
    named.content,
    /\b(?:(?:article|entry|post|story|news|blog|page|main|content|single|event|product|recipe|document|text|body)(?:body|content|contents|text|copy|main|detail|details|entry|description) |(?:article|entry|post|story|news|blog|main|page|content|body|rich|full) (?:body|content|text|main|copy|detail|description|article) |h ?entry |inhalt|markdown body |wysiwyg |bodytext |articlebody )/,
  ],
  [
    named.comments,
    /\b(?:comments?|comment(?:list|form|area|section|box|thread)s?|kommentare?|comentarios?|commentaires?|commenti|reacties|respond|disqus|pingbacks?|trackbacks?|guest ?book comments) /,
  ],
  [
    named.extra,
    /\b(?:share|shares|sharing|share(?:bar|box|this|daddy|buttons?|tools?|links?)|social\w*|addthis\w*|addtoany|shariff|follow(?:us)?|related\w*|yarpp|similar|recommend\w*|recirc\w*|suggest(?:ed|ions?)|you may(?: also)?|read (?:more|next|also)|more (?:posts|stories|news|articles|from)|trending|popular|most ?(?:read|viewed|popular|shared)|recent ?(?:posts?|comments?|news|articles)|latest ?(?:posts?|news|articles)|outbrain|taboola|up ?sells?|cross ?sells?|mast ?head|newsletters?|subscri\w*|sign ?up|opt ?in|mailchimp|pay ?wall|donat\w*|about ?author|author ?(?:box|bio|info|profile|card)|bios?|right ?(?:col|column|rail|side)|left ?(?:col|column|rail|side)|modal|overlay|lightbox|pop ?up|pop ?over|tooltip|login|log ?in|mini ?cart|shopping ?cart|basket|search ?(?:form|box|bar)|no ?print|hidden ?print|print none|no ?content|print ?only|skip ?links?|call to action|cta|disclaimer|disclosure|feedback|survey|polls?|jump ?links?) /,
  ],
  [
    named.listing,
    /\b(?:nav\w*|sub ?nav\w*|side ?nav\w*|main ?nav\w*|top ?nav\w*|menus?|sub ?menus?|bread ?crumbs?|pagination|paging|pager|teasers?|tag ?(?:cloud|list|links)|tags|categories|archives?|topics|keywords|header|top ?bar|tool ?bar|prev(?:ious)?|next|links?|link ?list|more|carousel|slider|swiper|tabs?|gallery|footnav|bottom|banner|aside|box(?:es)?|secondary|tertiary) /,
  ],
  [
    named.meta,
    /\b(?:(?:entry|post|article|news|story|blog|item|page|content|single) ?(?:meta\w*|info|infos|date|time|author|footer|details|tags|categories|header meta)|meta ?(?:data|info|line|bar|box)?|date ?(?:line|time)?|published|pub ?date|time ?stamp|by ?line|authors?|autor|credits?|copyright|(?:image|img|photo|picture|caption) (?:source|author|by)|categor(?:y|ies)|cat ?links?|tags?|tagged|kicker|reading ?time|views|counter|ratings?|votes?|stars|edit ?link|permalink|licen[cs]e) /,
  ],
  [named.consent, /\b(?:cookies?|consents?|gdpr|dsgvo|privacy (?:embed|notice|overlay|banner|box)) /],
  [named.caption, /\b(?:captions?|bildunterschrift|legende) /],
  [named.foot, /\b(?:footers?|colophon|copyrights?|imprint|fine ?print) /],
  [named.widget, /\bwidgets? /],
  [named.column, /\b(?:side ?bars?|rail|marginal\w*) /],
  [named.advert, /\b(?:ads?|adv|advert\w*|adsense|sponsor\w*|werbung|anzeigen?|promo\w*|publicidad) /],
]

/** Classes that tell a state or a topic of what they stand on: 'has-sidebar', 'category-comments'. */
const aboutItself =
  /^(?:has|no|not|with|without|is|js|no-js|category|tag|type|format|status|postid|page-id|page-template|theme|hide-on|show-on)[-_]/i

const known = new Map<string, number>()
const mostKnown = 20_000
/** Elements whose id is of a part of the page; that of others is an address in the text. */
const areas = new Set('div section aside ul ol form table article header footer'.split(' '))
/** Longer names are made by machines. */
const longestName = 200

/** The words below or beside a picture; those of a block of code or a list have the same name. */
export function isCaption(element: PageElement): boolean {
  if (element.name === 'figcaption') return true
  if (element.attributes.length === 0 || !(namesOf(element) & named.caption)) return false
  const { parent } = element
  return ((element.holds | (parent?.holds ?? 0) | (parent?.parent?.holds ?? 0)) & kindOf.image) !== 0
}

/** Bits of `named`, by class and id. */
export function namesOf(element: PageElement): number {
  if (element.attributes.length === 0) return 0
  const names = attributeOf(element, 'class') ?? ''
  const id = areas.has(element.name) ? (attributeOf(element, 'id') ?? '') : ''
  return (names ? meaningOf(names) : 0) | (id ? meaningOf(id) : 0)
}

function meaningOf(names: string): number {
  const found = known.get(names)
  if (found !== undefined) return found
  let bits = 0
  for (const name of names.slice(0, 1000).split(/\s+/)) {
    if (name === '' || name.length > longestName || aboutItself.test(name)) continue
    const words = `${wordsIn(name)} `
    for (const [bit, expression] of groups) if (expression.test(words)) bits |= bit
  }
  if (known.size >= mostKnown) known.clear()
  known.set(names, bits)
  return bits
}

/** 'relatedPosts_2' as 'related posts 2'. */
function wordsIn(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim()
}
