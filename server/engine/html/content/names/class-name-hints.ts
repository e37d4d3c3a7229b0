/** What the class names and the id of an element say about it. Hints are bits. */
export const hint = {
  /** The text of the page. */
  content: 1,
  /** Comments of readers. */
  comments: 2,
  /** Extras of any page: share buttons, related pages, subscriptions, overlays. */
  extra: 4,
  /** May be text, but mostly leads to other pages. */
  listing: 8,
  /** A line about the text: date, author, topics. */
  meta: 16,
  /** Asks for consent, also in place of embedded content. */
  consent: 32,
  /** A part of a page builder: of the text, or of its boilerplate. */
  widget: 64,
  /** A side column. */
  column: 128,
  /** Advertisements, and elements that may contain them. */
  advert: 256,
  /** The caption of a picture. */
  caption: 512,
  /** The footer of the page. */
  foot: 1024,
  /** Leads through the site: menus, pages of a list. */
  navigation: 2048,
} as const

/**
 * Words of names, in the languages in which they are often written. 'share' matches a complete word, as in 'share-bar';
 * 'sharebar' also matches 'share-bar' and 'shareBar'; 'related*' matches any word that starts with it.
 */
const words: Record<keyof typeof hint, string> = {
  content: 'hentry inhalt markdownbody wysiwyg bodytext articlebody',
  comments:
    'comment comments commentlist commentform commentarea commentsection commentbox commentthread respond disqus pingback pingbacks trackback trackbacks kommentar kommentare kommentarer comentario comentarios commentaire commentaires commenti reacties komentarz komentarze',
  extra:
    'share shares sharing sharebar sharebox sharethis sharedaddy sharebutton sharebuttons sharetools sharelinks social* addthis* addtoany shariff follow followus teilen partag* compartir condividi udostepnij likes ' +
    'related* yarpp similar recommend* recirc* suggested suggestion suggestions youmay youmayalso readmore readnext readalso moreposts morestories morenews morearticles morefrom alsoread trending popular mostread mostviewed mostpopular mostshared recentpost recentposts recentcomments recentnews recentarticles latestpost latestposts latestnews latestarticles nextpost nextstory nextarticle currentissue outbrain taboola ticker newsticker newstickers newsflash breakingnews upsell upsells crosssell crosssells verwandt* aehnlich* empfehl* weiterlesen weitereartikel lireaussi relacionad* leertambien leetambien leiatambem leiamais vejatambem vejamais correlati powiazane polecane czytajtez czytajtakze ' +
    'newsletter newsletters subscri* signup optin mailchimp paywall donat* abonn* suscri* ' +
    'aboutauthor authorbox authorbio authorinfo authorprofile authorcard authordesc authordescription authorblock authorsection bio bios autorenbox autorinfo ' +
    'rightcol rightcolumn rightrail rightside leftcol leftcolumn leftrail leftside modal overlay lightbox popup popover tooltip ' +
    'masthead login minicart shoppingcart basket searchform searchbox searchbar noprint hiddenprint printnone printonly nocontent skiplink skiplinks jumplink jumplinks calltoaction cta disclaimer disclosure feedback survey poll polls',
  listing:
    'teaser teasers tag tagcloud taglist taglinks tags categories archive archives topics keywords link links linklist carousel slider swiper tab tabs gallery bottom banner aside box boxes secondary tertiary',
  navigation:
    'nav* subnav* sidenav* mainnav* topnav* footnav* menu menus submenu submenus breadcrumb breadcrumbs pagination paging pager header topbar toolbar prev previous next more',
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

/** Nouns and their parts: 'entry-content', 'post-meta'. */
const nouns = 'article entry post story news blog page main content single event product recipe document text body item'
const parts: Partial<Record<keyof typeof hint, string>> = {
  content: 'body content contents text copy main detail details description',
  meta: 'meta* info infos date time author footer tags categories',
}

/** Subjects with which a meta line is the text: when and where it is. */
const subjects = new Set('event events recipe product job venue contact opening tour course'.split(' '))

const exactWords = new Map<string, number>()
const prefixes: [start: string, bit: number][] = []
for (const name of Object.keys(hint) as (keyof typeof hint)[]) {
  for (const word of words[name].split(' ')) add(word, hint[name])
  for (const part of parts[name]?.split(' ') ?? [])
    for (const noun of nouns.split(' ')) add(`${noun}${part}`, hint[name])
}

function add(word: string, bit: number): void {
  if (word.endsWith('*')) prefixes.push([word.slice(0, -1), bit])
  else exactWords.set(word, (exactWords.get(word) ?? 0) | bit)
}

/** Returns the bits of `named` for one class name or id: 'relatedPosts_2' is read as related and posts. */
export function hintsOfName(name: string): number {
  const nameWords = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
  let bits = 0
  for (const [index, word] of nameWords.entries()) {
    const next = nameWords[index + 1]
    bits |= bitsOf(word)
    if (next === undefined) continue
    bits |= bitsOf(word + next) | (exactWords.get(word + next + (nameWords[index + 2] ?? '')) ?? 0)
  }
  return nameWords.some((word) => subjects.has(word)) ? bits & ~hint.meta : bits
}

function bitsOf(word: string): number {
  let bits = exactWords.get(word) ?? 0
  for (const [start, bit] of prefixes) if (word.startsWith(start)) bits |= bit
  return bits
}
