import { describe, expect, it } from 'vitest'
import { parsePage } from '../dom/parse'
import { blocksOf } from './blocks'

const tableIn = (html: string) => blocksOf(parsePage(`<table>${html}</table>`).body)[0]
const linesIn = (html: string) => tableIn(html)?.text.split('\n')

describe('spanning cells', () => {
  it('repeats a cell in each row that it spans', () => {
    expect(
      linesIn(
        '<tr><th>Room<th>Lamp<th>Price<tr><td rowspan=2>Kitchen<td>Storm<td>12<tr><td>Desk<td>7<tr><td>Hall<td>Reader<td>9',
      ),
    ).toEqual(['Room | Lamp | Price', 'Kitchen | Storm | 12', 'Kitchen | Desk | 7', 'Hall | Reader | 9'])
  })

  it('keeps columns aligned under a header that spans several and below a cell at the end of a row', () => {
    expect(
      linesIn(
        '<tr><td><th colspan=2>2024<th>Sold<tr><th>Lamp<th>Net<th>Gross<td rowspan=2>yes<tr><td>Storm<td>10<td>12',
      ),
    ).toEqual([' | 2024 | 2024 | Sold', 'Lamp | Net | Gross | yes', 'Storm | 10 | 12 | yes'])
  })

  it('repeats a cell that spans rows and columns', () => {
    expect(linesIn('<tr><td>a<td rowspan=2 colspan=2>sold out<td>b<tr><td>c<td>d<tr><td>e<td>f<td>g<td>h')).toEqual([
      'a | sold out | sold out | b',
      'c | sold out | sold out | d',
      'e | f | g | h',
    ])
  })

  it('leaves an empty cell for a long text, and does not repeat the only cell of a row', () => {
    const long = 'The lamp of the keeper of the tower. '.repeat(4).trim()
    expect(linesIn(`<tr><td rowspan=2>${long}<td>a<tr><td>b<tr><td colspan=2>Out of stock<tr><td>Storm<td>12`)).toEqual(
      [`${long} | a`, ' | b', 'Out of stock', 'Storm | 12'],
    )
  })

  it('ends a span with its row group, and adds no line for a row of spanned cells only', () => {
    expect(linesIn('<tbody><tr><td rowspan=9>a<td>b<tr></tr><tr><td>c</tbody><tbody><tr><td>d<td>e</tbody>')).toEqual([
      'a | b',
      'a | c',
      'd | e',
    ])
    expect(linesIn('<tbody><tr><td rowspan=0>a<td>b<tr><td>c</tbody><tr><td>d<td>e')).toEqual([
      'a | b',
      'a | c',
      'd | e',
    ])
  })

  it.each(['-1', 'x', '1e9', '101', '99999999999', '', '2x'])('bounds rowspan=%s', (span) => {
    const second = span === '2x' ? 'a | c' : 'c'
    expect(linesIn(`<tr><td rowspan="${span}">a<td>b<tr><td>c`)).toEqual(['a | b', second])
  })

  it('bounds the repeated text of a table', () => {
    const rows = `<tr><td rowspan=100 colspan=50>${'lamp '.repeat(10)}<td>x${'<tr><td>y'.repeat(99)}`.repeat(50)
    const { text = '' } = tableIn(rows) ?? {}
    expect(text.length).toBeLessThan(rows.length * 4)
    expect(linesIn(`<tr><td colspan=1000>a<td>b`)).toEqual(['a | b'])
  })
})

describe('anchors of lines', () => {
  const anchorsIn = (html: string) => {
    const block = blocksOf(parsePage(html).body)[0]
    return block && 'anchors' in block ? block.anchors?.map(({ line, anchor }) => `${line} ${anchor}`) : undefined
  }

  it('returns the anchor of each row and item that has one', () => {
    expect(
      anchorsIn(
        '<table id=t><caption>Lamps</caption><tr><th>Name<th>Price<tr id=r1><td>Storm<td>12<tr><td>Desk<td>7<tr><td><a name=r3></a>Hall<td>9',
      ),
    ).toEqual(['2 r1', '4 r3'])
    expect(anchorsIn('<ul><li id=a>One<ul><li id=b>Two</ul><li>Three<li><p id=c>Four</ul>')).toEqual([
      '0 a',
      '1 b',
      '3 c',
    ])
  })

  it('returns none if no line has one', () => {
    expect(anchorsIn('<ul id=all><li>One<li>Two</ul>')).toBeUndefined()
    expect(anchorsIn('<table><tr><td>a<td>b</table>')).toBeUndefined()
  })

  it('limits their number and length', () => {
    const items = Array.from({ length: 12_000 }, (_, index) => `<li id=i${index}>x`).join('')
    expect(anchorsIn(`<ul>${items}</ul>`)).toHaveLength(10_000)
    expect(anchorsIn(`<ul><li id=${'x'.repeat(1_000)}>One</ul>`)).toBeUndefined()
  })
})
