import { normalizeEscapes } from './path-encoding'

/** Prefixes of tracking parameters. */
const trackingPrefixes = /^(utm_|hsa_|pk_|piwik_|mtm_|matomo_|__hs|_hs|fb_|aspsessionid)/

const anyValue = (names: string) => names.split(' ').map((name) => [name, /^/] as const)

/**
 * Parameters that do not change the content, by the values for which that holds: tracking, sessions, order and layout of
 * lists. Ambiguous names match certain values only.
 */
const irrelevant = new Map<string, RegExp>([
  ...anyValue(
    'gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid _ga _gl _gac fbclid msclkid yclid ysclid twclid',
  ),
  ...anyValue('ttclid rb_clid irclickid cjevent li_fat_id igsh igshid mc_cid mc_eid hsctatracking mkt_tok oly_anon_id'),
  ...anyValue('oly_enc_id vero_id vero_conv _openstat wickedid srsltid epik _ke _kx s_kwcid ef_id elqtrackid elqtrack'),
  ...anyValue('guccounter guce_referrer guce_referrer_sig __twitter_impression ref_src ref_url wt_mc at_medium spm'),
  ...anyValue('phpsessid jsessionid sessionid session_id sessid cfid cftoken zenid oscsid replytocom'),
  ['sid', /^[\w,-]{16,}$/],
  ['s', /^[\da-f]{32}$/i],
  ...anyValue('sort sortby sort_by sort-by orderby order_by order-by sortorder sort_order sortdir sort_dir'),
  ['order', /^[a-z_.,-]+$/i],
  ['dir', /^(asc|desc|up|down)(ending)?$/i],
  ['direction', /^(asc|desc|up|down)(ending)?$/i],
  ['view', /^(list|grid|table|tiles?|cards?|compact|gallery|thumbs|mosaic)$/i],
])

/** Sort order of Apache's directory listings. */
const apacheSort = /^C=[NMSD][;&]O=[AD]$/

/**
 * Normalizes a query: drops parameters that do not change the content and sorts the others by name, stably. `query` and
 * the result have no question mark.
 */
export function canonicalQuery(query: string): string {
  if (query === '' || apacheSort.test(query)) return ''
  const kept: { name: string; text: string }[] = []
  for (const part of query.split('&')) {
    const text = normalizeEscapes(part)
    const equals = text.indexOf('=')
    const name = equals < 0 ? text : text.slice(0, equals)
    if (name !== '' && !isIrrelevant(name.toLowerCase(), text.slice(name.length + 1))) kept.push({ name, text })
  }
  if (kept.length > 1) kept.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  return kept.map(({ text }) => text).join('&')
}

function isIrrelevant(name: string, value: string): boolean {
  return trackingPrefixes.test(name) || (irrelevant.get(name)?.test(value) ?? false)
}
