import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { createTokenizer } from '../../../adapters/embedding/model-tokenizer'
import { tokensPerFunctionWord } from './function-word-tokens'

const tokenizer = createTokenizer(resolve(import.meta.dirname, '../../../../models/all-MiniLM-L6-v2'))

test('tells whether the model knows a language, and whether it reads its words by letters', () => {
  expect(tokensPerFunctionWord(['en'], tokenizer)).toBe(1)
  for (const language of ['fr', 'de', 'es', 'pl', 'it', 'nl']) {
    expect(tokensPerFunctionWord([language], tokenizer)).toBeGreaterThan(1.5)
    expect(tokensPerFunctionWord([language], tokenizer)).toBeLessThan(2.5)
  }
  for (const language of ['ru', 'el', 'ar']) expect(tokensPerFunctionWord([language], tokenizer)).toBeGreaterThan(3)
})

test('takes the best known of several languages, and null for none', () => {
  expect(tokensPerFunctionWord(['ru', 'en'], tokenizer)).toBe(1)
  expect(tokensPerFunctionWord(['zh'], tokenizer)).toBeNull()
  expect(tokensPerFunctionWord([], tokenizer)).toBeNull()
  expect(tokensPerFunctionWord(['de', 'pl'], { count: () => 1 })).toBe(1)
})
