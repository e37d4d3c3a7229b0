/** Whether an address is one of the web; that of a file is its name. */
export function isWeb(address: string): boolean {
  return /^https?:\/\//i.test(address)
}

/** Where in a file a passage stands, from its link: 'page 12', 'sheet Prices, row 7'; '' where the link does not say. */
export function placeInFile(link: string): string {
  // The name of a file may have the sign itself.
  const place = link.slice(link.lastIndexOf('#') + 1 || link.length)
  const parts = [...new URLSearchParams(place)].filter(isPlace)
  return parts.map(([name, value]) => `${name} ${value}`).join(', ')
}

function isPlace([name, value]: [string, string]): boolean {
  return name === 'sheet' ? value !== '' : /^(page|row)$/.test(name) && /^\d+$/.test(value)
}
