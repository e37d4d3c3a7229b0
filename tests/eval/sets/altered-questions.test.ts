import { expect, test } from 'vitest'
import { incomplete, misspelled } from './altered-questions'

const ask = (...texts: string[]) => texts.map((text, n) => ({ id: `${n}`, text, gold: new Set(['page']) }))
const texts = (questions: { text: string }[]) => questions.map(({ text }) => text)

test('misspells one word of each question', () => {
  const question = 'Is the warranty valid?'
  expect(texts(misspelled(ask(question, question, question)))).toEqual([
    'Is the warranty vlaid?',
    'Is the warrnty valid?',
    'Is the warranty vakid?',
  ])
  expect(texts(misspelled(ask('Is it so?')))).toEqual(['Is it so?'])
})

test('cuts off the end of the longest word', () => {
  expect(texts(incomplete(ask('Is the warranty valid?')))).toEqual(['Is the warra valid?'])
})
