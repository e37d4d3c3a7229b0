import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { AutoTokenizer, env } from '@huggingface/transformers'
import { afterAll, describe, expect, it } from 'vitest'
import { writeTinyModel } from '../../../tests/support/embedding/tiny-model'
import { createTokenizer } from './model-tokenizer'

const parent = mkdtempSync(join(tmpdir(), 'sitelore-tokenizers-'))
afterAll(() => rmSync(parent, { recursive: true }))

const texts = [
  '',
  'the lamp',
  '  the\n\nlamp \t of  light ',
  'Lampen: światło, 灯灯 und mehr.',
  'ﬁne ½ e\u0301 👍🏽 \ud800 x\u200by',
  `${'lamp'.repeat(50)} ${'ż'.repeat(50)}`,
]

describe('createTokenizer', () => {
  it.each(['WordPiece', 'Unigram', 'BPE'] as const)(
    'counts the tokens that the model receives: %s',
    async (tokenizer) => {
      const model = writeTinyModel(join(parent, tokenizer), { tokenizer })
      env.allowRemoteModels = false
      env.localModelPath = parent
      const reference = await AutoTokenizer.from_pretrained(tokenizer)
      const { count } = createTokenizer(model)
      for (const text of texts) {
        expect(count(text), JSON.stringify(text)).toBe(reference.encode(text, { add_special_tokens: false }).length)
      }
      expect(count('the lamp of light')).toBeGreaterThan(3)
    },
  )

  it('counts a very long text, and a very long word, in linear time', () => {
    const { count } = createTokenizer(writeTinyModel(join(parent, 'long'), { tokenizer: 'Unigram' }))
    expect(count('lamp '.repeat(20_000).trim())).toBe(20_000 * count('lamp'))
    expect(count('q'.repeat(500_000))).toBeGreaterThan(10)
  })

  it('subtracts the prefix and the special tokens from the length of passages', () => {
    const files = {
      'sitelore.json': { passage_prefix: 'passage: ' },
      'sentence_bert_config.json': { max_seq_length: 128 },
    }
    const { count, maxPassageTokens } = createTokenizer(writeTinyModel(join(parent, 'prefixed'), { files }))
    expect(count('passage: ')).toBe(2)
    expect(maxPassageTokens).toBe(128 - 2 - 2)
    const long = { ...files, 'sitelore.json': { passage_prefix: 'passage '.repeat(120) } }
    expect(createTokenizer(writeTinyModel(join(parent, 'long-prefix'), { files: long })).maxPassageTokens).toBe(64)
    expect(createTokenizer(resolve('models/all-MiniLM-L6-v2')).maxPassageTokens).toBe(254)
  })

  it.each([
    ['no JSON', '{'],
    ['of an unknown kind', JSON.stringify({ model: { type: 'Runes', vocab: {} } })],
  ])('estimates if the tokenizer is %s', (name, content) => {
    const model = writeTinyModel(join(parent, name))
    writeFileSync(join(model, 'tokenizer.json'), content)
    const { count } = createTokenizer(model)
    expect(count('The lamp of the harbor.')).toBe(6)
    expect(count('internationalization')).toBe(3)
    expect(count('światło')).toBeGreaterThan(2)
    expect(count('')).toBe(0)
  })

  it('estimates if there is no model', () => {
    expect(createTokenizer(join(parent, 'nowhere')).count('one two')).toBe(2)
  })
})
