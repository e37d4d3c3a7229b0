import { describe, expect, it } from 'vitest'
import { readCell } from './cell'

const read = (text: string) => {
  const { kind, value } = readCell(0, text) ?? {}
  return kind === 'number' ? value : kind
}

describe('readCell', () => {
  it.each([
    ['1,250.00', 1250],
    ['-12,5', -12.5],
    ['− 4', -4],
    ['(300)', -300],
    ['1.5e3', 1500],
    ['12,90 €', 12.9],
    ['€ -3', -3],
    ['$-3', -3],
    ['US$ 7', 7],
    ['EUR 12.50', 12.5],
    ['-EUR 12.50', -12.5],
    ['EUR -12.50', -12.5],
    ['(12.50 CHF)', -12.5],
    ['kr 100', 100],
    ['19 %', 19],
  ])('reads %s as the number %f', (text, value) => {
    expect(read(text)).toBe(value)
  })

  it.each([
    'NT-1000',
    'NT1000',
    'NT 1000',
    'SKU 12',
    'PEN-1000',
    'EUR-6',
    '-AB 12',
    '100 ABC',
    '7X',
    'A-100',
    '1000-NT',
  ])('reads %s as text', (text) => {
    expect(read(text)).toBe('text')
  })
})
