/** Symbols of Office's symbol fonts by code; the other characters of these fonts are bullets and ornaments. */
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

/** Symbol fonts encode symbols at their own codes, or at the same ones in this private use area. */
const privateUseStart = 0xf000

/** Returns the symbol for a character of a symbol font; '' for an ornament. */
export function symbolOf(code: number, font: string): string {
  const symbolCode = code >= privateUseStart && code <= privateUseStart + 0xff ? code - privateUseStart : code
  const symbols = fonts.get(font.toLowerCase())
  if (symbols) return symbols.get(symbolCode) ?? ''
  // All fonts have bullets at the same code.
  if (symbolCode === 0xb7) return '•'
  return symbolCode === code ? String.fromCodePoint(code) : ''
}

/** Replaces characters of the private use area by the symbols of their font. */
export function replaceSymbols(text: string, font: string): string {
  return text.replace(/[\uf000-\uf0ff]/g, (character) => symbolOf(character.charCodeAt(0), font))
}

function alphabet(from: number, letters: string): [number, string][] {
  return [...letters].map((letter, index) => [from + index, letter])
}
