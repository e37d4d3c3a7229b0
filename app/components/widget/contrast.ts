/** A color of text, and its contrast to what is behind it. */
export interface TextContrast {
  text: 'White' | 'Black'
  ratio: number
}

/** The easier of white and black text on a hexadecimal color, as the widget chooses it: the formula of WCAG 2. */
export function textContrast(color: string): TextContrast {
  const digits = color.replace('#', '')
  const full = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((start) =>
    linear(Number.parseInt(full.slice(start, start + 2), 16)),
  )
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  const onWhite = 1.05 / (luminance + 0.05)
  const onBlack = (luminance + 0.05) / 0.05
  return onWhite >= onBlack ? { text: 'White', ratio: onWhite } : { text: 'Black', ratio: onBlack }
}

function linear(channel: number): number {
  const part = channel / 255
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}
