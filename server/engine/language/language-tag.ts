/** Normalizes a language tag to BCP 47 in lower case; '' for an invalid tag and for `x-default`. */
export function languageTag(text: string): string {
  const tag = text.trim().replaceAll('_', '-').toLowerCase()
  return /^[a-z]{2,3}(-[a-z\d]{1,8})*$/.test(tag) ? tag : ''
}
