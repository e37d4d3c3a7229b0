/** Returns whether an address is a URL; the address of a file is its name. */
export function isWeb(address: string): boolean {
  return /^https?:\/\//i.test(address)
}

/** Returns the location of a passage in a file from its link: 'page 12', 'sheet Prices, row 7'; '' without one. */
export function placeInFile(link: string): string {
  // The name of a file may contain '#'.
  const place = link.slice(link.lastIndexOf('#') + 1 || link.length)
  const parts = [...new URLSearchParams(place)].filter(isPlace)
  return parts.map(([name, value]) => `${name} ${value}`).join(', ')
}

function isPlace([name, value]: [string, string]): boolean {
  return name === 'sheet' ? value !== '' : /^(page|row)$/.test(name) && /^\d+$/.test(value)
}
