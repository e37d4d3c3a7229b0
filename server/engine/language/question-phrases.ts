/**
 * What a question in a script without spaces, or in Korean, asks with. In other scripts these are words of their own, and
 * are listed in `stop-words.ts`. Compiled from the interrogatives and sentence endings in grammars.
 */
const phrases = [
  // Chinese
  `为什么 為什麼 什么时候 什麼時候 什么 什麼 甚么 甚麼 怎么样 怎麼樣 怎么 怎麼 怎样 怎樣 如何 哪里 哪裡 哪兒 哪儿 谁 誰 多久 多长
    多長 何时 何時 是否 有没有 有沒有 能否 请问 請問 呢`,
  // Japanese
  `何ですか とは何 何が 何を 何の 何時 何人 何年 何月 何日 何個 何歳 何円 どこ いつ 誰 だれ なぜ どうして どのように どのくらい
    どれくらい どのような いくら いくつ どれ どの どんな ですか ますか ましたか でしょうか ください について`,
  // Korean
  '무엇 무슨 어디 언제 누구 누가 어떻게 어떤 어느 얼마나 얼마 인가요 입니까 습니까 나요 까요 한가요',
  // Thai, Lao, Khmer, Burmese
  'อะไร ที่ไหน เมื่อไหร่ เมื่อไร ใคร ทำไม อย่างไร ยังไง เท่าไหร่ เท่าไร กี่ หรือไม่',
  'ເປັນຫຍັງ ຫຍັງ ຢູ່ໃສ ເມື່ອໃດ ໃຜ ແນວໃດ ເທົ່າໃດ ຫຼືບໍ່',
  'អ្វី ឯណា ពេលណា នរណា ហេតុអ្វី យ៉ាងណា យ៉ាងដូចម្តេច ប៉ុន្មាន',
  'ဘယ်သူ ဘယ်မှာ ဘယ်လို ဘယ်လောက် ဘယ်တော့ ဘယ် ဘာကြောင့်',
]
/** Phrases that are also a part of other words: "几何" (geometry), "吗啡" (morphine), "ผ้าไหม" (silk), "왜곡" (distortion). */
const ambiguous = [
  '(?:哪(?!吒)[一几幾]?|第?(?<!茶)[几幾](?![何乎])|多少)[个個位所种種些项項座家次款支条條部名年岁歲]?',
  '[吗嗎]$',
  '^[왜몇]$',
  '(?<!ผ้า)ไหม$',
  'ໃສ$',
  'ណា$',
  'ဘာ(?!သာ)',
  'လား$',
]

// Alternatives are tried in order, and longer phrases contain shorter ones.
const sorted = phrases.flatMap((list) => list.trim().split(/\s+/)).sort((first, second) => second.length - first.length)
const anyPhrase = new RegExp([...sorted, ...ambiguous].join('|'), 'u')

/** Particles that join what a phrase asks about to the phrase. */
const particles = /^[是在的有了はがをにでの]+|[是在的有了はがをにでの]+$/gu

/** Characters that join words in Chinese, and the particles of Japanese. */
const joining = /[的了是与與及吗嗎呢之はがをにでのともへ]/u

/** The pairs of characters that say what a text is about. All pairs if each contains a character that joins words. */
export function contentPairs(pairs: string[]): string[] {
  const content = pairs.filter((pair) => !joining.test(pair))
  return content.length > 0 ? content : pairs
}

/** The parts of a run of characters between the phrases that only ask. The run itself if there are none. */
export function withoutQuestionPhrases(run: string): string[] {
  const parts = run.split(anyPhrase)
  if (parts.length === 1) return parts
  return parts.map((part) => part.replace(particles, '')).filter((part) => part !== '')
}
