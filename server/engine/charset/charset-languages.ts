/** The non-ASCII characters of a language, and the encodings of its texts. */
export interface Language {
  /** Labels of TextDecoder; the first is preferred if several give the same text. */
  encodings: string[]
  /** Latin letters occur among ASCII letters, others among themselves. */
  script: 'latin' | 'other' | 'wide'
  /** Most frequent first, lower case if the script has cases. */
  letters: string
  /** For wide scripts: rows of a national standard with further characters in use, as first bytes of an encoding. */
  rows?: { encoding: string; from: number; to: number }
}

const western = ['windows-1252', 'macintosh']
const central = ['windows-1250', 'iso-8859-2']
const baltic = ['windows-1257', 'iso-8859-13', 'iso-8859-4']
const cyrillic = ['windows-1251', 'koi8-r', 'iso-8859-5', 'ibm866', 'x-mac-cyrillic']
const japanese = ['shift_jis', 'euc-jp']

export const languages: Language[] = [
  // French, German, Spanish, Portuguese, Italian, Catalan, Dutch, Scandinavian languages, Icelandic
  { encodings: western, script: 'latin', letters: 'éèàêçôùâîûëïœüæÿ' },
  { encodings: western, script: 'latin', letters: 'üäößéà' },
  { encodings: western, script: 'latin', letters: 'óíáéñúü¿¡' },
  { encodings: western, script: 'latin', letters: 'ãáçéíóõêâúôàü' },
  { encodings: western, script: 'latin', letters: 'àèùòéì' },
  { encodings: western, script: 'latin', letters: 'óàéèíòçúïü·' },
  { encodings: western, script: 'latin', letters: 'ëéïèöüç' },
  { encodings: western, script: 'latin', letters: 'äåöøæéü' },
  { encodings: western, script: 'latin', letters: 'áíöðéúóþýæ' },
  // Polish, Czech, Slovak, Hungarian, Croatian and Slovene, Romanian
  { encodings: central, script: 'latin', letters: 'łęąóżśćńź' },
  { encodings: central, script: 'latin', letters: 'íáéěřščýžůúňťďó' },
  { encodings: central, script: 'latin', letters: 'áíčéšžýúľťôňďäóŕĺ' },
  { encodings: central, script: 'latin', letters: 'áéöóőüíúű' },
  { encodings: central, script: 'latin', letters: 'čšžćđ' },
  { encodings: central, script: 'latin', letters: 'ăîşţâ' },
  // Turkish, Lithuanian, Latvian, Estonian, Vietnamese
  { encodings: ['windows-1254'], script: 'latin', letters: 'ıüşğçöİâîû' },
  { encodings: baltic, script: 'latin', letters: 'ėšžūįąęčų' },
  { encodings: baltic, script: 'latin', letters: 'āīēšļņūžģčķ' },
  { encodings: baltic, script: 'latin', letters: 'äõüöšž' },
  { encodings: ['windows-1258'], script: 'latin', letters: 'đưô\u0301\u0300\u0323âơêă\u0309\u0303áàéèíóòúù' },
  // Russian, Bulgarian, Ukrainian, Serbian
  { encodings: cyrillic, script: 'other', letters: 'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё' },
  { encodings: cyrillic, script: 'other', letters: 'аиоентрвсдклпмзгъябуйчцщшюжхфь' },
  { encodings: [...cyrillic, 'koi8-u'], script: 'other', letters: 'оанивітерслкудмпяьзбгйчхцїжшєюфщґ' },
  { encodings: ['windows-1251', 'iso-8859-5'], script: 'other', letters: 'аоиенрстјкудвлмпзгбчшћцхжљњђфџ' },
  // Greek, Hebrew, Arabic, Thai
  { encodings: ['windows-1253', 'iso-8859-7'], script: 'other', letters: 'αοιετσνηυρπκμλςάίόγέδήωχθφβύξώζψϊϋ' },
  { encodings: ['windows-1255', 'iso-8859-8'], script: 'other', letters: 'יוהלאתמרבשנדחקפעסצגטכםןזךףץ' },
  { encodings: ['windows-1256', 'iso-8859-6'], script: 'other', letters: 'اليمنوترهبسدفعكقحةجطصخشأىزضئغثؤظءآإذ' },
  {
    encodings: ['windows-874'],
    script: 'other',
    letters: 'านรอกเง\u0e48มย\u0e49ล\u0e31วดทสต\u0e35\u0e34ะปบคห\u0e38แจพ\u0e37ช\u0e4c\u0e39ขใไ\u0e47ถผณซธโศ\u0e33ภฐ',
  },
  // Japanese, Chinese (simplified, traditional), Korean
  {
    encodings: japanese,
    script: 'wide',
    letters: 'のにいるとはをしたがでてなすれかりことうもらまっさくあそけつせえよ、。ーンスルトイ日人年本大一中出国会',
    rows: { encoding: 'euc-jp', from: 0xa4, to: 0xcf },
  },
  {
    encodings: ['gb18030'],
    script: 'wide',
    letters:
      '的，。一是不了在人有我、他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实',
    rows: { encoding: 'gb18030', from: 0xb0, to: 0xd7 },
  },
  {
    encodings: ['big5'],
    script: 'wide',
    letters:
      '的，。一是不了在人有我、他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實',
    rows: { encoding: 'big5', from: 0xa4, to: 0xc6 },
  },
  {
    encodings: ['euc-kr'],
    script: 'wide',
    letters: '이다는에의을가고하지로기사한리도아어자나그해인대수서시있은일부정전스과들제를으여라게니보장주소',
    rows: { encoding: 'euc-kr', from: 0xb0, to: 0xc8 },
  },
]
