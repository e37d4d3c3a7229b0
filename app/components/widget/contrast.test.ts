import { expect, it } from 'vitest'
import { textContrast } from './contrast'

it.each([
  ['#000000', 'White', 21],
  ['#fff', 'Black', 21],
  ['#00718f', 'White', 5.59],
  ['#ffd34d', 'Black', 14.68],
  ['#767676', 'Black', 4.62],
])('chooses the text on %s', (color, text, ratio) => {
  const contrast = textContrast(color)
  expect(contrast.text).toBe(text)
  expect(contrast.ratio).toBeCloseTo(ratio, 1)
})

it('is never below AA', () => {
  for (let gray = 0; gray < 256; gray++) {
    const part = gray.toString(16).padStart(2, '0')
    expect(textContrast(`#${part}${part}${part}`).ratio).toBeGreaterThan(4.5)
  }
})
