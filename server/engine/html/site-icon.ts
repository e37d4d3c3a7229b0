import { attributeOf, type PageElement } from './dom/element'
import type { ParsedPage } from './dom/parse'
import { absoluteAddress, hasToken } from './links'

/** Side in pixels that an icon should have: it is shown at 16 to 32 pixels, on screens of twice the density. */
const wantedSide = 64

/**
 * Returns the address of the icon that a page names: of several, a vector picture, else the smallest one that is large
 * enough, else the largest. Pictures for the home screen of a phone come last, because they are large files.
 */
export function siteIconOf(page: ParsedPage, base: string): string | null {
  const icons = page.linkElements.filter((link) => hasToken(link, 'rel', 'icon'))
  const touchIcons = page.linkElements.filter((link) => hasToken(link, 'rel', 'apple-touch-icon'))
  const ranked = icons.toSorted((a, b) => rankOf(a) - rankOf(b))
  for (const link of [...ranked, ...touchIcons]) {
    const href = attributeOf(link, 'href')
    const address = href ? absoluteAddress(href, base) : null
    if (address) return address
  }
  return null
}

/** The lower, the better. */
function rankOf(link: PageElement): number {
  const sizes = attributeOf(link, 'sizes')?.toLowerCase() ?? ''
  if (sizes === 'any' || attributeOf(link, 'type') === 'image/svg+xml') return 0
  const side = Number.parseInt(sizes, 10)
  if (Number.isNaN(side)) return 3 * wantedSide
  return side >= wantedSide ? side : 3 * wantedSide - side
}
