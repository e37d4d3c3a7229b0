/** Whether an address is one of the web; that of a file is its name. */
export function isWeb(address: string): boolean {
  return /^https?:\/\//i.test(address)
}

/** Where in a file a passage stands, from its link: 'page 12', 'sheet Prices, row 7'; '' where the link does not say. */
export function placeInFile(link: string): string {
  const place = link.split('#', 2)[1] ?? ''
  const parts = [...new URLSearchParams(place)].filter(([name, value]) => /^(page|sheet|row)$/.test(name) && value)
  return parts.map(([name, value]) => `${name} ${value}`).join(', ')
}

/** A fragment's address as a person reads it, with the place in a file. */
export function placeOf({ url, link }: { url: string; link: string }): string {
  if (isWeb(url)) return shortAddress(url)
  return [url, placeInFile(link)].filter(Boolean).join(', ')
}

/** How many of a passage's words are put into its link. */
const words = 8

/** The fragment's link with a text fragment, so that the browser scrolls to the passage itself and marks it. */
export function passageLink(link: string, content: string): string {
  if (!isWeb(link)) return '#'
  const text = firstWords(content)
  if (!text) return link
  // A hyphen has a meaning of its own in a text directive.
  const directive = `:~:text=${encodeURIComponent(text).replaceAll('-', '%2D')}`
  return link.includes('#') ? `${link}${directive}` : `${link}#${directive}`
}

/** The passage's first words as they stand on the page: without the marks of headings, lists, code and emphasis. */
function firstWords(content: string): string {
  const line = content
    .split('\n')
    .map(plain)
    .find((one) => one.split(' ').length >= 4)
  return (line ?? plain(content.split('\n')[0] ?? '')).split(' ').slice(0, words).join(' ')
}

function plain(line: string): string {
  return line
    .replace(/^[#>\-*+\s]+|^\d+[.)]\s+/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*_|]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** An address as a person reads it. */
export function shortAddress(url: string): string {
  return url.replace(/^https?:\/\//i, '').replace(/\/$/, '')
}
