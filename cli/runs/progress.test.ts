import { describe, expect, it } from 'vitest'
import type { Io } from '../io'
import { createProgress } from './progress'

function startedWith(columns: number | null, json = false) {
  const written: string[] = []
  let now = 0
  const io = { columns, err: (text: string) => written.push(text) } as unknown as Io
  return { written, progress: createProgress(io, { json, now: () => now }), pass: (ms: number) => (now += ms) }
}

describe('progress', () => {
  it('draws a bar over itself on a terminal, within its width', () => {
    const { progress, written } = startedWith(60)
    progress.show({ label: 'Reading pages', done: 6, total: 12, detail: 'https://example.com/a/very/long/address' })
    progress.end()
    expect(written[0]).toContain(`\r\u001b[KReading pages [${'#'.repeat(12)}${'-'.repeat(12)}] 6 of 12`)
    expect(written[0]?.length).toBeLessThanOrEqual(59 + '\r\u001b[K'.length)
    expect(written[1]).toBe('\r\u001b[K')
  })

  it('writes a line every few seconds elsewhere', () => {
    const { progress, written, pass } = startedWith(null)
    for (let done = 0; done < 10; done++) {
      progress.show({ label: 'Reading pages', done, total: 0 })
      pass(1_000)
    }
    progress.end()
    expect(written).toEqual(['Reading pages: 0\n', 'Reading pages: 3\n', 'Reading pages: 6\n', 'Reading pages: 9\n'])
  })

  it('counts nothing where nothing is counted', () => {
    const { progress, written } = startedWith(null)
    progress.show({ label: 'Reading the file', done: null, total: 0 })
    expect(written).toEqual(['Reading the file\n'])
  })

  it('keeps stderr to itself where JSON is asked for', () => {
    const { progress, written } = startedWith(null, true)
    progress.show({ label: 'Reading pages', done: 1, total: 2 })
    progress.end()
    expect(written).toEqual([])
  })
})
