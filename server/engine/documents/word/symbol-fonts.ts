/** Where the fonts of Office that hold signs only have them; the rest of theirs are bullets and ornaments. */
const symbol = new Map<number, string>([
  ...alphabet(0x41, 'ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ'),
  ...alphabet(0x61, 'αβχδεφγηιϕκλμνοπθρστυϖωξψζ'),
  ...alphabet(0x30, '0123456789'),
  ...alphabet(0x28, '()∗+,−./'),
  [0x20, ' '],
  [0x3c, '<'],
  [0x3d, '='],
  [0x3e, '>'],
  [0xa3, '≤'],
  [0xa5, '∞'],
  [0xae, '→'],
  [0xab, '↔'],
  [0xac, '←'],
  [0xb0, '°'],
  [0xb1, '±'],
  [0xb3, '≥'],
  [0xb4, '×'],
  [0xb6, '∂'],
  [0xb7, '•'],
  [0xb8, '÷'],
  [0xb9, '≠'],
  [0xba, '≡'],
  [0xbb, '≈'],
  [0xce, '∈'],
  [0xd6, '√'],
  [0xd7, '⋅'],
  [0xe5, '∑'],
  [0xf2, '∫'],
])

const wingdings = new Map<number, string>([
  [0x6f, '☐'],
  [0xa8, '☐'],
  [0x78, '☒'],
  [0xfd, '☒'],
  [0xfe, '☑'],
  [0xfb, '✗'],
  [0xfc, '✓'],
  [0xe0, '→'],
  [0xdf, '←'],
  [0xf0, '→'],
])

const fonts = new Map([
  ['symbol', symbol],
  ['wingdings', wingdings],
])

/** Fonts of signs have them at their own places, or at the same ones of a private area. */
const privateArea = 0xf000

/** The sign that a character of a font of signs shows; '' for an ornament. */
export function signOf(code: number, font: string): string {
  const place = code >= privateArea && code <= privateArea + 0xff ? code - privateArea : code
  const signs = fonts.get(font.toLowerCase())
  if (signs) return signs.get(place) ?? ''
  // The bullets of all fonts stand at one place.
  if (place === 0xb7) return '•'
  return place === code ? String.fromCodePoint(code) : ''
}

/** Text whose characters of the private area are the signs of its font. */
export function withSigns(text: string, font: string): string {
  return text.replace(/[\uf000-\uf0ff]/g, (character) => signOf(character.charCodeAt(0), font))
}

function alphabet(from: number, letters: string): [number, string][] {
  return [...letters].map((letter, at) => [from + at, letter])
}
