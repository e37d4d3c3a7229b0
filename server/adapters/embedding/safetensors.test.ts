import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { safetensorsOf } from '../../../tests/support/embedding/safetensors'
import { readSafetensors } from './safetensors'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sitelore-safetensors-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function read(content: Uint8Array) {
  const path = join(folder, 'model.safetensors')
  writeFileSync(path, content)
  return readSafetensors(path, 'model.safetensors')
}

const two = { 'linear.weight': { shape: [2, 2], values: [1, -0.5, 0.25, 65_504] } }

describe('readSafetensors', () => {
  it.each(['F32', 'F16'] as const)('reads numbers of the type %s', (type) => {
    expect(read(safetensorsOf(two, type)).get('linear.weight')).toEqual({
      shape: [2, 2],
      values: Float32Array.of(1, -0.5, 0.25, 65_504),
    })
  })

  it('reads numbers of the type BF16, which have 8 bits of precision', () => {
    const { values = [] } = read(safetensorsOf(two, 'BF16')).get('linear.weight') ?? {}
    expect([...values].slice(0, 3)).toEqual([1, -0.5, 0.25])
    expect(values[3]).toBeCloseTo(65_280, 0)
  })

  it('reads the smallest and special numbers of 16 bits', () => {
    const bits = Uint16Array.of(0x0001, 0x8000, 0x7c00, 0xfc00)
    const file = safetensorsOf({ t: { shape: [4], values: [0, 0, 0, 0] } }, 'F16')
    file.set(new Uint8Array(bits.buffer), file.length - 8)
    expect([...(read(file).get('t')?.values ?? [])]).toEqual([2 ** -24, -0, Infinity, -Infinity])
  })

  it.each([
    ['an empty file', new Uint8Array(0), 'it has no header'],
    ['a page of a site', new TextEncoder().encode('<!doctype html><title>Sign in</title>'), 'it has no header'],
    ['half a file', safetensorsOf(two, 'F32').slice(0, -4), 'linear.weight is incomplete'],
    ['a header that is no JSON', Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0, 123, 123), 'its header is not valid'],
    ['other numbers', safetensorsOf(two, 'F32', 'I64'), 'numbers of the type I64, which is not supported'],
  ])('rejects %s', (_, content, reason) => {
    expect(() => read(content)).toThrow(reason)
  })
})
