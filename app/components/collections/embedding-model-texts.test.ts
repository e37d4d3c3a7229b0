import { describe, expect, it } from 'vitest'
import type { EmbeddingModelView } from '../../../contract/views/embedding-model'
import { languagesLine, modelChangeLine, weakLanguageAdvice } from './embedding-model-texts'

const model: EmbeddingModelView = {
  name: 'all-MiniLM-L6-v2',
  languages: 'English',
  is_multilingual: false,
  is_service: false,
  problem: null,
  weak_language: 'pl',
  change: null,
  choices: [],
  tokens: 9,
}
const change = {
  model: 'bge-m3',
  state: 'building' as const,
  done: 3_100,
  total: 20_113,
  seconds_left: 425,
  problem: null,
}

describe('modelChangeLine', () => {
  it.each([
    [change, 'Building the index of bge-m3: 3,100 of 20,113 fragments · about 7 min left'],
    [{ ...change, seconds_left: null }, 'Building the index of bge-m3: 3,100 of 20,113 fragments'],
    [{ ...change, state: 'paused' as const }, 'Building the index of bge-m3: 3,100 of 20,113 fragments · paused'],
    [{ ...change, state: 'removing' as const }, 'Removing the vectors that searches no longer read'],
  ])('%j', (view, line) => {
    expect(modelChangeLine(view)).toBe(line)
  })
})

describe('languagesLine', () => {
  it.each([
    [{ ...model }, 'English'],
    [{ ...model, languages: null }, 'Languages unknown'],
    [{ ...model, is_service: true }, 'A service: the texts and the questions are sent to it'],
  ])('%j', (view, line) => {
    expect(languagesLine(view)).toBe(line)
  })
})

describe('weakLanguageAdvice', () => {
  const title = 'Semantic search is weak for Polish with this model. Choose a multilingual model.'

  it('names the command until a multilingual model is installed', () => {
    const command = 'sitelore models pull intfloat/multilingual-e5-small'
    expect(weakLanguageAdvice(model)).toEqual({ title, command })
    const choice = { name: 'bge-m3', languages: 'more than 100 languages', is_multilingual: true, is_service: false }
    expect(weakLanguageAdvice({ ...model, choices: [choice] })).toEqual({ title, command: null })
    expect(weakLanguageAdvice({ ...model, choices: [{ ...choice, is_multilingual: false }] })).toEqual({
      title,
      command,
    })
  })

  it('is left out where the model knows the language, and while it is changed', () => {
    expect(weakLanguageAdvice({ ...model, weak_language: null })).toBeNull()
    expect(weakLanguageAdvice({ ...model, change })).toBeNull()
  })
})
