import { readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { AutoTokenizer, env, type PreTrainedTokenizer } from '@huggingface/transformers'
import { beforeAll, describe, expect, test } from 'vitest'
import { createWordPieceTokenizer } from './wordpiece'

const modelFolder = resolve(import.meta.dirname, '../../../models/all-MiniLM-L6-v2')
const tokenizer = createWordPieceTokenizer(JSON.parse(readFileSync(join(modelFolder, 'tokenizer.json'), 'utf8')))
let reference: PreTrainedTokenizer

beforeAll(async () => {
  env.allowRemoteModels = false
  env.localModelPath = dirname(modelFolder)
  reference = await AutoTokenizer.from_pretrained(basename(modelFolder))
})

const texts: Record<string, string> = {
  empty: '',
  spaces: ' \t\n\r \u00a0\u3000 ',
  English: "The quick brown fox doesn't jump: it over-analyses (again), e.g. at 3.14 km/h!",
  code: 'const x: Map<string, number[]> = new Map(); await asyncio.create_task(foo_bar(**kwargs)) # noqa\n\tif a != b && !c: ++i;',
  German: 'Die Straßenbahnhaltestelle Größenordnungsmäßig überprüfen: Äpfel, Öl und Übermaß.',
  Polish: 'Zażółć gęślą jaźń; Konstantynopolitańczykowianeczka mówi: „dzień dobry”.',
  Czech: 'Příliš žluťoučký kůň úpěl ďábelské ódy',
  Russian: 'Сколько очков уступила защита Пэнтерс? Ёлка и йод.',
  Greek: 'Ο ΟΔΥΣΣΕΥΣ και η Ὀδύσσεια, ἄνδρα μοι ἔννεπε',
  Turkish: 'İstanbul’da IĞDIR ılık şöyle',
  Chinese: '我喜歡用TypeScript写代码，真的！㐀𠀀豈',
  Japanese: '吾輩は猫である。名前はまだ無い。カタカナ',
  Korean: '한국어 문장을 토큰화합니다.',
  Arabic: 'السَّلَامُ عَلَيْكُمْ ورحمة الله',
  Hindi: 'नमस्ते दुनिया, यह हिन्दी है',
  Thai: 'ภาษาไทยไม่มีช่องว่าง',
  Vietnamese: 'Tiếng Việt có dấu: đường phố Nguyễn',
  emoji: '👩‍👩‍👧‍👦 family 🇵🇱 👍🏽 ☺️ 10️⃣ ©™ ½ № €£¥',
  control: 'a\u0000b\u0007c\u200bd\ufeffe\u00adf\u2028g\u0085h\vi\fj\ufffdk',
  'half surrogates': 'a\ud800b \udfffc',
  'private use': 'x\ue000y',
  'long word': `${'a'.repeat(100)} ${'b'.repeat(101)} ${'é'.repeat(100)} ${'😀'.repeat(99)}`,
  'special tokens': 'before [SEP] [MASK][CLS] after [UNK]x [sep]',
  underscores: '__init__ snake_case_name ---- === ***bold*** `tick` ~tilde~ ^caret',
  ligatures: 'ﬁn ﬂuid Å Ω µ ſ Ⅷ ①',
  combining: 'e\u0301 n\u0303 \u0301alone',
  marks: '«quotes» ‘x’ – — … ‽ ؟ 。 ・',
}

describe('createWordPieceTokenizer', () => {
  test.each(Object.entries(texts))('counts as the model does: %s', (_, text) => {
    expect(tokenizer.count(text)).toBe(reference.encode(text, { add_special_tokens: false }).length)
    // Again, from the cache.
    expect(tokenizer.count(text)).toBe(reference.encode(text, { add_special_tokens: false }).length)
  })

  test('counts random characters as the model does', () => {
    let seed = 7
    function random(below: number): number {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed % below
    }
    for (let round = 0; round < 300; round++) {
      const planes = [0x80, 0x250, 0x3000, 0xffff, 0x1_ffff]
      const text = Array.from({ length: 40 }, () =>
        random(5) === 0 ? ' ' : String.fromCodePoint(random(planes[random(planes.length)] ?? 0x80)),
      ).join('')
      expect(tokenizer.count(text), JSON.stringify(text)).toBe(
        reference.encode(text, { add_special_tokens: false }).length,
      )
    }
  })
})
