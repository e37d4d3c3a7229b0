import { expect, test } from 'vitest'
import { contentPairs, withoutQuestionPhrases } from './question-phrases'

test.each([
  ['平面几何是什么', ['平面几何']],
  ['几乎没有', ['几乎没有']],
  ['茶几多少钱', ['茶几', '钱']],
  ['哪吒是谁', ['哪吒']],
  ['吗啡的作用', ['吗啡的作用']],
  ['营业时间是几点吗', ['营业时间', '点']],
  ['哪所大学最好', ['大学最好']],
  ['駐車場はどこですか', ['駐車場']],
  ['왜곡', ['왜곡']],
  ['왜', []],
  ['어디인가요', []],
  ['ผ้าไหม', ['ผ้าไหม']],
  ['เปิดกี่โมง', ['เปิด', 'โมง']],
  ['ဘာသာစကား', ['ဘာသာစကား']],
])('%s: %j', (run, parts) => {
  expect(withoutQuestionPhrases(run)).toEqual(parts)
})

test('leaves out pairs with characters that join words, unless all have one', () => {
  expect(contentPairs(['中国', '国的', '的首', '首都'])).toEqual(['中国', '首都'])
  expect(contentPairs(['目的'])).toEqual(['目的'])
})
