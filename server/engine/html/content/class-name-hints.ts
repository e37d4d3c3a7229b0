/** What the class and the id of an element say about it, one bit each. */
export const named = {
  /** Holds the text of the page. */
  content: 1,
  /** What readers wrote below the text. */
  comments: 2,
  /** Beside the text on any page: share buttons, related pages, subscriptions, what is laid over the page. */
  extra: 4,
  /** May hold text, but most often leads to other pages. */
  listing: 8,
  /** When, by whom, under which topics: a line about the text. */
  meta: 16,
  /** Asks for consent, also in place of something from elsewhere. */
  consent: 32,
  /** A piece of a page that was put together of such: of the text, or of what stands beside it. */
  widget: 64,
  /** A column beside another. */
  column: 128,
  /** Advertisements, and what may be around them. */
  advert: 256,
  /** The words of a picture. */
  caption: 512,
  /** The foot of the page. */
  foot: 1024,
} as const

/**
 * Words of names, in the languages in which they are often given. 'share' is the whole word in 'share-bar', 'sharebar'
 * is also 'share-bar' and 'shareBar', and 'related*' whatever starts with it.
 */
const words: Record<keyof typeof named, string> = {
  content: 'hentry inhalt markdownbody wysiwyg bodytext articlebody',
  comments:
    'comment comments commentlist commentform commentarea commentsection commentbox commentthread respond disqus pingback pingbacks trackback trackbacks kommentar kommentare kommentarer comentario comentarios commentaire commentaires commenti reacties komentarz komentarze',
  extra:
    'share shares sharing sharebar sharebox sharethis sharedaddy sharebutton sharebuttons sharetools sharelinks social* addthis* addtoany shariff follow followus teilen partag* compartir condividi udostepnij likes ' +
    'related* yarpp similar recommend* recirc* suggested suggestion suggestions youmay youmayalso readmore readnext readalso moreposts morestories morenews morearticles morefrom alsoread trending popular mostread mostviewed mostpopular mostshared recentpost recentposts recentcomments recentnews recentarticles latestpost latestposts latestnews latestarticles nextpost nextstory nextarticle currentissue outbrain taboola upsell upsells crosssell crosssells verwandt* aehnlich* empfehl* weiterlesen weitereartikel lireaussi relacionad* leertambien leetambien leiatambem leiamais vejatambem vejamais correlati powiazane polecane czytajtez czytajtakze ' +
    'newsletter newsletters subscri* signup optin mailchimp paywall donat* abonn* suscri* ' +
    'aboutauthor authorbox authorbio authorinfo authorprofile authorcard authordesc authordescription authorblock authorsection bio bios autorenbox autorinfo ' +
    'rightcol rightcolumn rightrail rightside leftcol leftcolumn leftrail leftside modal overlay lightbox popup popover tooltip ' +
    'masthead login minicart shoppingcart basket searchform searchbox searchbar noprint hiddenprint printnone printonly nocontent skiplink skiplinks jumplink jumplinks calltoaction cta disclaimer disclosure feedback survey poll polls',
  listing:
    'nav* subnav* sidenav* mainnav* topnav* footnav* menu menus submenu submenus breadcrumb breadcrumbs pagination paging pager teaser teasers tag tagcloud taglist taglinks tags categories archive archives topics keywords header topbar toolbar prev previous next link links linklist more carousel slider swiper tab tabs gallery bottom banner aside box boxes secondary tertiary',
  meta: 'meta metadata metainfo metaline metabar metabox date dateline datetime published pubdate timestamp byline author authors autor credit credits copyright imagesource imagecredit imgauthor imagecopyright photocredit photoby captionsource category categories catlinks tag tags tagged kicker readingtime views counter rating ratings vote votes stars editlink permalink license licence',
  consent:
    'cookie cookies consent consents gdpr dsgvo privacyembed privacynotice privacyoverlay privacybanner privacybox',
  widget: 'widget widgets',
  column: 'sidebar sidebars rail marginal*',
  advert:
    'ad ads adv advert* adsense sponsor* werbung anzeige anzeigen promo* publicidad publicite pubblicita reklama anuncio anuncios',
  caption: 'caption captions bildunterschrift legende',
  foot: 'footer footers colophon copyrights imprint fineprint',
}

/** What pages have, and its parts: 'entry-content', 'post-meta'. */
const wholes =
  'article entry post story news blog page main content single event product recipe document text body item'
const parts: Partial<Record<keyof typeof named, string>> = {
  content: 'body content contents text copy main detail details description',
  meta: 'meta* info infos date time author footer tags categories',
}

/** A line about such a thing is its text: when and where it is. */
const things = new Set('event events recipe product job venue contact opening tour course'.split(' '))

const whole = new Map<string, number>()
const starts: [start: string, bit: number][] = []
for (const name of Object.keys(named) as (keyof typeof named)[]) {
  for (const word of words[name].split(' ')) add(word, named[name])
  for (const part of parts[name]?.split(' ') ?? []) for (const of of wholes.split(' ')) add(`${of}${part}`, named[name])
}

function add(word: string, bit: number): void {
  if (word.endsWith('*')) starts.push([word.slice(0, -1), bit])
  else whole.set(word, (whole.get(word) ?? 0) | bit)
}

/** Bits of `named` that one class or id says: 'relatedPosts_2' is read as related and posts. */
export function meaningOfName(name: string): number {
  const said = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
  let bits = 0
  for (const [at, word] of said.entries()) {
    const next = said[at + 1]
    bits |= bitsOf(word)
    if (next === undefined) continue
    bits |= bitsOf(word + next) | (whole.get(word + next + (said[at + 2] ?? '')) ?? 0)
  }
  return said.some((word) => things.has(word)) ? bits & ~named.meta : bits
}

function bitsOf(word: string): number {
  let bits = whole.get(word) ?? 0
  for (const [start, bit] of starts) if (word.startsWith(start)) bits |= bit
  return bits
}
