/** Between what floats and what it belongs to, and between what floats and the window's edge, in pixels. */
const gap = 6
const edge = 12

/** Puts an opened popover below its anchor, above it where there is more room, and always inside the window. */
export function placeBeside(anchor: Element, floating: HTMLElement): void {
  const at = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = floating
  const below = at.bottom + gap + height + edge <= window.innerHeight || at.top < height + gap + edge
  const top = below ? at.bottom + gap : at.top - gap - height
  const left = at.left + at.width / 2 - width / 2
  floating.style.margin = '0'
  floating.style.inset = 'auto'
  floating.style.top = `${clamp(top, window.innerHeight - height - edge)}px`
  floating.style.left = `${clamp(left, window.innerWidth - width - edge)}px`
}

function clamp(value: number, most: number): number {
  return Math.max(edge, Math.min(value, most))
}
