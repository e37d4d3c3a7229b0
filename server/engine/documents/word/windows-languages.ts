/** Languages by the lower ten bits of a Windows language id, from 1. */
const languages =
  'ar bg ca zh cs da de el en es fi fr he hu is it ja ko nl nb pl pt rm ro ru hr sk sq sv th tr ur id uk be sl et lv lt tg fa vi hy az eu hsb mk'.split(
    ' ',
  )

const encodings: Record<string, string> = {
  ...every('windows-1250', 'cs hr hu pl ro sk sl sq'),
  ...every('windows-1251', 'be bg mk ru uk'),
  ...every('windows-1253', 'el'),
  ...every('windows-1254', 'tr az'),
  ...every('windows-1255', 'he'),
  ...every('windows-1256', 'ar fa ur'),
  ...every('windows-1257', 'et lt lv'),
  ...every('windows-1258', 'vi'),
  ...every('windows-874', 'th'),
  ...every('shift_jis', 'ja'),
  ...every('euc-kr', 'ko'),
}

/** Returns the BCP 47 tag of a Windows language id; '' if unknown. */
export function languageOfNumber(number: number): string {
  return languages[(number & 0x3ff) - 1] ?? ''
}

/** Returns the Windows code page of a language. */
export function encodingOfLanguage(number: number): string {
  const language = languageOfNumber(number)
  if (language !== 'zh') return encodings[language] ?? 'windows-1252'
  // Taiwan, Hong Kong and Macao use traditional characters.
  return [1, 3, 5].includes(number >>> 10) ? 'big5' : 'gbk'
}

function every(encoding: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, encoding]))
}
