import { describe, expect, it } from 'vitest'
import type { Block } from '../ports/extractor'
import { detectTableLanguage, isTable } from './table-language'

const rows = (...texts: string[]): Block[] =>
  texts.map((text, index) => ({ kind: 'paragraph', text, anchor: `row=${index + 2}` }))
const summary: Block = {
  kind: 'table',
  text: 'Summary of the table: 2 rows, 2 columns. Columns: SKU (text); and 1 more column.',
  anchor: null,
  standalone: true,
}

describe('detectTableLanguage', () => {
  it('detects a price list by its column names', () => {
    const german = rows('SKU: NT-1000; Name: Hammerbohrer 8 mm; Preis: 12,90; Lager: 40', 'SKU: NT-1001; Preis: 3')
    expect(detectTableLanguage([...german, summary])).toBe('de')
    expect(detectTableLanguage(rows('Nom: Marteau; Prix: 12'))).toBe('fr')
  })

  it('weighs the cells of a table more than repeated column names', () => {
    const said = [
      'die Lampe ist für den Flur und nicht für das Bad',
      'wird mit einem Schalter und einer Birne geliefert',
      'der Schirm ist aus Glas, das nicht bricht',
    ]
    expect(
      detectTableLanguage(
        rows(...said.map((text, index) => `SKU number: A${index}; Item name: L${index}; Text: ${text}`)),
      ),
    ).toBe('de')
  })

  it('decides for no language if names and cells suggest none, or two', () => {
    expect(detectTableLanguage([...rows('SKU: NT-1; Name: Lampe', 'SKU: NT-2; Name: Hammer'), summary])).toBe('')
    expect(detectTableLanguage(rows('Preis: 12; Prix: 12'))).toBe('')
    expect(detectTableLanguage([...rows('A-1; 4', 'A-2; 5'), summary])).toBe('')
  })
})

it('isTable accepts rows with and without a heading', () => {
  const heading: Block = { kind: 'heading', level: 1, text: 'Preise', anchor: 'sheet=Preise' }
  expect(isTable([heading, ...rows('Preis: 12'), summary])).toBe(true)
  expect(isTable([{ kind: 'paragraph', text: 'Preis: 12', anchor: 'page=1' }])).toBe(false)
})
