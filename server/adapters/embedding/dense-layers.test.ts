import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { safetensorsOf } from '../../../tests/support/embedding/safetensors'
import { openDenseLayers } from './dense-layers'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sitelore-layers-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(layer: string, config: unknown, tensors: Parameters<typeof safetensorsOf>[0] | null): void {
  mkdirSync(join(folder, layer), { recursive: true })
  writeFileSync(join(folder, layer, 'config.json'), JSON.stringify(config))
  if (tensors) writeFileSync(join(folder, layer, 'model.safetensors'), safetensorsOf(tensors, 'F32'))
}

const weight = { shape: [2, 3], values: [1, 2, 3, 0, -1, 0] }
const bias = { shape: [2], values: [0.5, 0] }

describe('openDenseLayers', () => {
  it('returns the vector of a model without layers', () => {
    const vector = Float32Array.of(1, 2)
    expect(openDenseLayers(folder, [])(vector)).toBe(vector)
  })

  it.each([
    ['torch.nn.modules.linear.Identity', [14.5, -2]],
    ['torch.nn.modules.activation.Tanh', [Math.tanh(14.5), Math.tanh(-2)]],
    ['torch.nn.modules.activation.ReLU', [14.5, 0]],
    [undefined, [Math.tanh(14.5), Math.tanh(-2)]],
  ])('computes weights, bias and the activation %s', (activation_function, expected) => {
    write('2_Dense', { activation_function }, { 'linear.weight': weight, 'linear.bias': bias })
    expect([...openDenseLayers(folder, ['2_Dense'])(Float32Array.of(1, 2, 3))]).toEqual(expected)
  })

  it('computes one layer after another', () => {
    const identity = { activation_function: 'torch.nn.Identity' }
    write('2_Dense', identity, { 'linear.weight': weight })
    write('3_Dense', identity, { 'linear.weight': { shape: [1, 2], values: [1, 10] } })
    expect([...openDenseLayers(folder, ['2_Dense', '3_Dense'])(Float32Array.of(1, 2, 3))]).toEqual([-6])
  })

  it.each([
    [
      'weights that are missing',
      {},
      null,
      /^The embedding model is incomplete: 2_Dense\/model\.safetensors is missing/,
    ],
    [
      'an unknown activation',
      { activation_function: 'a.GELU' },
      null,
      /has the activation GELU, which is not supported\.$/,
    ],
    ['a name that every object has', { activation_function: 'a.constructor' }, null, /has the activation constructor/],
    ['other tensors', {}, { weight }, /does not contain the weights of a Dense layer\.$/],
    [
      'a bias of another size',
      {},
      { 'linear.weight': weight, 'linear.bias': { shape: [1], values: [1] } },
      /does not contain the weights of a Dense layer\.$/,
    ],
  ])('rejects %s', (_, config, tensors, sentence) => {
    write('2_Dense', config, tensors)
    expect(() => openDenseLayers(folder, ['2_Dense'])).toThrow(sentence)
  })

  it('rejects a vector of another size', () => {
    write('2_Dense', {}, { 'linear.weight': weight })
    expect(() => openDenseLayers(folder, ['2_Dense'])(Float32Array.of(1, 2))).toThrow('reads 3 numbers, but gets 2')
  })
})
