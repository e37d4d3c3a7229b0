/** A language tag of a page, a header or a sitemap as BCP 47 in lower case; '' for what is none, as `x-default`. */
export function languageTag(text: string): string {
  const tag = text.trim().replaceAll('_', '-').toLowerCase()
  return /^[a-z]{2,3}(-[a-z\d]{1,8})*$/.test(tag) ? tag : ''
}
