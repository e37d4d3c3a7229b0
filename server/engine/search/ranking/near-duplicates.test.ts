import { describe, expect, it } from 'vitest'
import { createDuplicateDetector } from './near-duplicates'

const long =
  'The workshop by the sea opens on weekdays from nine to five, and on Saturdays until noon. Lamps that were bought elsewhere are repaired, too, as long as their parts can still be found. Bring the lamp with its cable and without its bulb, and write your name on a note beside it.'
const passage = (text: string, second: Partial<Record<'addressId' | 'title' | 'headings', string>> = {}) => ({
  addressId: crypto.randomUUID(),
  title: 'Opening hours',
  headings: '',
  text,
  ...second,
})

function isDuplicate(
  first: ReturnType<typeof passage>,
  second: ReturnType<typeof passage>,
  query: string[] = ['repair'],
): boolean {
  const duplicates = createDuplicateDetector(query)
  expect(duplicates.check(first)).toBeNull()
  const found = duplicates.check(second)
  if (found !== null) expect(found).toBe(first)
  return found !== null
}

describe('passages with the same text', () => {
  it('are duplicates despite titles, punctuation and case', () => {
    expect(isDuplicate(passage(long), passage(long))).toBe(true)
    expect(
      isDuplicate(passage(long), passage(long.toUpperCase().replaceAll(/[.,]/g, ' '), { title: 'Visit us' })),
    ).toBe(true)
    const chinese = '工作坊在海边工作日上午九点至下午五点开放，星期六开放至中午。在别处购买的灯也可以修理。'
    expect(isDuplicate(passage(chinese), passage(chinese, { title: '营业时间' }))).toBe(true)
  })

  it('are duplicates despite diacritics and full-width forms', () => {
    const spanish = 'Ábralo cada mañana y ciérrelo después, aunque el jardín esté vacío. '.repeat(3)
    expect(isDuplicate(passage(spanish), passage(spanish.normalize('NFD').replaceAll(/\p{M}/gu, '')))).toBe(true)
    expect(isDuplicate(passage(long), passage(long.replace('five', 'ｆｉｖｅ')))).toBe(true)
  })

  it('are no duplicates under different headings if they are short', () => {
    const under = (headings: string) => passage('Free of charge.', { headings })
    expect(isDuplicate(under('Children'), under('Children'))).toBe(true)
    expect(isDuplicate(under('Children'), under('Students'))).toBe(false)
  })

  it('are compared by their context if they have no words', () => {
    expect(isDuplicate(passage('* * *'), passage('—'))).toBe(true)
    expect(isDuplicate(passage('* * *'), passage('—', { title: 'Other' }))).toBe(false)
  })
})

describe('passages with nearly the same text', () => {
  const changed = long.replace('Bring the lamp', 'Please bring the lamp')

  it('are duplicates at different addresses only', () => {
    expect(isDuplicate(passage(long), passage(changed))).toBe(true)
    expect(isDuplicate(passage(long, { addressId: 'one' }), passage(changed, { addressId: 'one' }))).toBe(false)
  })

  it('need a higher similarity if the titles differ', () => {
    const more = changed.replace('can still', 'may still')
    expect(isDuplicate(passage(long), passage(more))).toBe(true)
    expect(isDuplicate(passage(long), passage(more, { title: 'Visit us' }))).toBe(false)
    expect(isDuplicate(passage(long), passage(changed, { title: 'Visit us' }))).toBe(true)
  })

  it('are no duplicates if the second adds a number or a word of the query', () => {
    expect(isDuplicate(passage(long), passage(long.replace('with its cable', 'with its 3 cables')))).toBe(false)
    expect(isDuplicate(passage(long), passage(changed, { title: 'Opening hours 2' }))).toBe(false)
    expect(isDuplicate(passage(long), passage(changed), ['please'])).toBe(false)
    // What the better one has in addition is no loss.
    expect(isDuplicate(passage(changed), passage(long), ['please'])).toBe(true)
  })

  it('are no duplicates if the second adds an inflection of a query word', () => {
    const boats = long.replace('Bring the lamp', 'Bring the boats, the lamp')
    expect(isDuplicate(passage(long), passage(boats), ['boat'])).toBe(false)
    expect(isDuplicate(passage(long), passage(boats), ['hour'])).toBe(true)
  })

  it('are detected in unsegmented scripts', () => {
    const chinese =
      '工作坊在海边，工作日上午九点至五点开放，星期六开放至下雨为止。在别处购买的灯也可以修理，只要还能找到零件。请带上灯和电线，并在旁边的纸条上写下名字，我们会打电话通知。'
    const polite = chinese.replace('我们会', '我们以后会')
    const afternoon = chinese.replace('工作日上午', '工作日下午')
    expect(isDuplicate(passage(chinese), passage(polite), ['修理'])).toBe(true)
    expect(isDuplicate(passage(chinese), passage(afternoon), ['修理'])).toBe(true)
    expect(isDuplicate(passage(chinese), passage(afternoon), ['下午'])).toBe(false)
    const korean =
      '작업실은 평일 오전 아홉 시부터 다섯 시까지 열고 토요일에는 정오까지 엽니다 다른 곳에서 산 등도 부품을 찾을 수 있으면 고칩니다 등과 전선을 가져오고 이름을 적어 주세요 다 되면 전화로 알려 드립니다'
    expect(isDuplicate(passage(korean), passage(korean.replace('작업실은', '작업실이')), ['수리'])).toBe(true)
  })

  it('are no duplicates if they are short', () => {
    expect(
      isDuplicate(passage('Lamps for the garden and the boat'), passage('Lamps for the garden and the boats')),
    ).toBe(false)
    expect(isDuplicate(passage(long), passage('The workshop by the sea'))).toBe(false)
  })
})

it('compares with all earlier passages', () => {
  const duplicates = createDuplicateDetector(['repair'])
  const texts = Array.from({ length: 100 }, (_, n) =>
    Array.from({ length: 250 }, (_, index) => `word${(index * 7 + n * 13) % 997}`).join(' '),
  )
  for (const text of texts) expect(duplicates.check(passage(text))).toBeNull()
  for (const text of texts) expect(duplicates.check(passage(text))?.text).toBe(text)
})
