/** Characters by their glyph names in the Adobe Glyph List, besides 'a' to 'z' and 'A' to 'Z'. */
const characters: Record<string, string> = {
  ...consecutive(
    ' ',
    'space exclam quotedbl numbersign dollar percent ampersand quotesingle parenleft parenright asterisk',
  ),
  ...consecutive(
    '+',
    'plus comma hyphen period slash zero one two three four five six seven eight nine colon semicolon',
  ),
  ...consecutive('<', 'less equal greater question at'),
  ...consecutive('[', 'bracketleft backslash bracketright asciicircum underscore grave'),
  ...consecutive('{', 'braceleft bar braceright asciitilde'),
  ...{ AE: 'Æ', ae: 'æ', OE: 'Œ', oe: 'œ', Oslash: 'Ø', oslash: 'ø', Lslash: 'Ł', lslash: 'ł', Eth: 'Ð', eth: 'ð' },
  ...{ Thorn: 'Þ', thorn: 'þ', germandbls: 'ß', dotlessi: 'ı', Dcroat: 'Đ', dcroat: 'đ', mu: 'µ', Euro: '€' },
  ...{ endash: '–', emdash: '—', ellipsis: '…', bullet: '•', quoteleft: '‘', quoteright: '’', section: '§' },
  ...{ quotedblleft: '“', quotedblright: '”', sterling: '£', yen: '¥', cent: '¢', exclamdown: '¡', questiondown: '¿' },
  ...{ degree: '°', plusminus: '±', multiply: '×', minus: '−', fraction: '⁄', guillemotleft: '«', guillemotright: '»' },
  ...{ ff: 'ff', fi: 'fi', fl: 'fl', ffi: 'ffi', ffl: 'ffl' },
}

const accents: Record<string, string> = {
  ...{ grave: '\u0300', acute: '\u0301', circumflex: '\u0302', tilde: '\u0303', macron: '\u0304', breve: '\u0306' },
  ...{ dotaccent: '\u0307', dieresis: '\u0308', ring: '\u030a', hungarumlaut: '\u030b', caron: '\u030c' },
  ...{ commaaccent: '\u0326', cedilla: '\u0327', ogonek: '\u0328' },
}

/** Maps names to consecutive characters. */
function consecutive(first: string, names: string): Record<string, string> {
  const start = first.charCodeAt(0)
  return Object.fromEntries(names.split(' ').map((name, n) => [name, String.fromCharCode(start + n)]))
}

/**
 * Returns the text of a glyph by its name and the rules of the Adobe Glyph List: a suffix after the first dot names a
 * variant ('one.oldstyle', 'a.sc'), and '_' joins the parts of a ligature ('T_h'). Null for an unknown name, '' for
 * .notdef.
 */
export function textOfGlyph(name: string): string | null {
  if (name === '.notdef') return ''
  const parts = name.split('.', 1).join('').split('_', 8)
  const texts = parts.map(textOfPart)
  return texts.includes(null) ? null : texts.join('')
}

function textOfPart(name: string): string | null {
  if (/^[A-Za-z]$/.test(name)) return name
  if (Object.hasOwn(characters, name)) return characters[name] ?? null
  const code = /^(?:uni([\dA-F]{4})|u([\dA-F]{4,6}))$/.exec(name)
  if (code) return textOfCode(Number.parseInt(code[1] ?? code[2] ?? '', 16))
  const accent = accents[name.slice(1)]
  return accent && /^[A-Za-z]/.test(name) ? `${name[0]}${accent}`.normalize('NFC') : null
}

function textOfCode(code: number): string | null {
  return code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? null : String.fromCodePoint(code)
}

/** ZapfDingbats characters that Unicode had in other blocks before it added the Dingbats block. */
const otherBlocks: Record<number, number> = {
  ...{ 37: 0x260e, 42: 0x261b, 43: 0x261e, 72: 0x2605, 108: 0x25cf, 110: 0x25a0, 115: 0x25b2 },
  ...{ 116: 0x25bc, 117: 0x25c6, 119: 0x25d7, 168: 0x2663, 169: 0x2666, 170: 0x2665, 171: 0x2660 },
  ...{ 213: 0x2192, 214: 0x2194, 215: 0x2195 },
}

/**
 * Returns the symbol for a code of ZapfDingbats in its built-in encoding (ISO 32000-1, D.6): '✔' for 0x34; '' for an
 * unassigned code.
 */
export function dingbatOf(code: number): string {
  if (code < 0x21 || code > 0xfe || (code > 0x7e && code < 0xa1) || code === 0xf0) return ''
  // Circled digits are in another block.
  if (code >= 0xac && code <= 0xb5) return String.fromCharCode(0x2460 + code - 0xac)
  return String.fromCharCode(otherBlocks[code] ?? (code < 0x7f ? 0x2700 - 0x20 : 0x2761 - 0xa1) + code)
}
