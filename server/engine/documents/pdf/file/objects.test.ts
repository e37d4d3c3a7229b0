import { expect, test } from 'vitest'
import { pdfOfObjects } from '../../../../../tests/support/files/pdf-objects'
import { appendUpdates, objectBefore, streamsOf } from './objects'

test('finds streams, whatever their lengths say', () => {
  const file = pdfOfObjects(['<< /Type /Catalog >>', { dictionary: '/A 1', stream: 'the endstream of it' }])
  const [stream] = streamsOf(file)
  expect(stream).toMatchObject({ number: 2, generation: 0 })
  expect(file.toString('latin1', stream?.start, stream?.end)).toBe('the endstream of it')
  for (const lie of ['/Length 9999', '/Length 9 0 R']) {
    const lying = Buffer.from(file.toString('latin1').replace('/Length 19', lie), 'latin1')
    const [found, ...others] = streamsOf(lying)
    expect(lying.toString('latin1', found?.start, found?.end)).toBe('the ')
    expect(others).toEqual([])
  }
})

test('updates the last definition of an object, with a trailer that continues the previous one', () => {
  const file = pdfOfObjects(['<< /Type /Catalog >>', '<< /A 1 >>'])
  const start = objectBefore(file, file.indexOf('/A 1'), 100)
  if (!start) throw new Error('The object is not found.')
  const xref = /startxref\n(\d+)/.exec(file.toString('latin1'))?.[1]
  const changed = appendUpdates(file, [{ ...start, content: Buffer.from('<< /A 2 >>') }]).toString('latin1')
  const [row, rest] = changed.slice(file.length).split('xref\n2 1\n')
  expect(row).toBe('\n2 0 obj\n<< /A 2 >>\nendobj\n')
  expect(rest).toMatch(new RegExp(`^0{0,9}${file.length + 1} 00000 n \ntrailer\n<< /Root 1 0 R .*/Prev ${xref} >>`))
  const updated = Buffer.concat([file, Buffer.from('2 0 obj << /A 3 >> endobj')])
  expect(appendUpdates(updated, [{ ...start, content: Buffer.from('') }])).toBe(updated)
  const otherBuffer = Buffer.concat([file, Buffer.from('12 0 obj << /A 3 >> endobj')])
  expect(appendUpdates(otherBuffer, [{ ...start, content: Buffer.from('') }])).not.toBe(otherBuffer)
})

test('searches files full of keywords in linear time', () => {
  for (const word of ['>>stream', '1 0 obj<<>>stream\n', '1 0 obj<</Length 1>>stream\n', '/Root']) {
    const file = Buffer.alloc(16 * 2 ** 20, word)
    const change = { number: 2, generation: 0, at: 0, content: Buffer.alloc(0) }
    for (const _ of streamsOf(file));
    expect(appendUpdates(file, [change]).length).toBeGreaterThan(file.length)
  }
})
