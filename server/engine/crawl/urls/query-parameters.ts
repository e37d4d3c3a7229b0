import { spelledOut } from './path-encoding'

/** Names that begin like this only count where a visitor came from. */
const trackingFamilies = /^(utm_|hsa_|pk_|piwik_|mtm_|matomo_|__hs|_hs|fb_|aspsessionid)/

const always = (names: string) => names.split(' ').map((name) => [name, /^/] as const)

/**
 * Parameters that never decide which content there is, with the values that make them so: where a visitor came from,
 * sessions, the order or the look of a list. Names that elsewhere say what is shown go by their value.
 */
const ofNoContent = new Map<string, RegExp>([
  ...always(
    'gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid _ga _gl _gac fbclid msclkid yclid ysclid twclid',
  ),
  ...always('ttclid rb_clid irclickid cjevent li_fat_id igsh igshid mc_cid mc_eid hsctatracking mkt_tok oly_anon_id'),
  ...always('oly_enc_id vero_id vero_conv _openstat wickedid srsltid epik _ke _kx s_kwcid ef_id elqtrackid elqtrack'),
  ...always('guccounter guce_referrer guce_referrer_sig __twitter_impression ref_src ref_url wt_mc at_medium spm'),
  ...always('phpsessid jsessionid sessionid session_id sessid cfid cftoken zenid oscsid replytocom'),
  ['sid', /^[\w,-]{16,}$/],
  ['s', /^[\da-f]{32}$/i],
  ...always('sort sortby sort_by sort-by orderby order_by order-by sortorder sort_order sortdir sort_dir'),
  ['order', /^[a-z_.,-]+$/i],
  ['dir', /^(asc|desc|up|down)(ending)?$/i],
  ['direction', /^(asc|desc|up|down)(ending)?$/i],
  ['view', /^(list|grid|table|tiles?|cards?|compact|gallery|thumbs|mosaic)$/i],
])

/** The columns by which Apache sorts its lists of files. */
const listOfFiles = /^C=[NMSD][;&]O=[AD]$/

/**
 * The parameters of an address in one form: those that never decide which content there is left out, the others sorted by
 * name, equal names in their order. `query` comes without its question mark, and so does the result.
 */
export function canonicalQuery(query: string): string {
  if (query === '' || listOfFiles.test(query)) return ''
  const kept: { name: string; text: string }[] = []
  for (const part of query.split('&')) {
    const text = spelledOut(part)
    const equals = text.indexOf('=')
    const name = equals < 0 ? text : text.slice(0, equals)
    if (name !== '' && !isOfNoContent(name.toLowerCase(), text.slice(name.length + 1))) kept.push({ name, text })
  }
  if (kept.length > 1) kept.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  return kept.map(({ text }) => text).join('&')
}

function isOfNoContent(name: string, value: string): boolean {
  return trackingFamilies.test(name) || (ofNoContent.get(name)?.test(value) ?? false)
}
