/** Distance from the anchor, and from the edge of the window. */
const gapPx = 6
const edgePx = 12

/** Places an open popover below its anchor, or above it if there is no room, and always inside the window. */
export function placeNear(anchor: Element, floating: HTMLElement): void {
  const rect = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = floating
  const below = rect.bottom + gapPx + height + edgePx <= window.innerHeight || rect.top < height + gapPx + edgePx
  const top = below ? rect.bottom + gapPx : rect.top - gapPx - height
  const left = rect.left + rect.width / 2 - width / 2
  floating.style.margin = '0'
  floating.style.inset = 'auto'
  floating.style.top = `${clamp(top, window.innerHeight - height - edgePx)}px`
  floating.style.left = `${clamp(left, window.innerWidth - width - edgePx)}px`
}

function clamp(value: number, max: number): number {
  return Math.max(edgePx, Math.min(value, max))
}
