import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readModelSettings } from './model-settings'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sitelore-model-'))
  mkdirSync(join(folder, 'onnx'))
  mkdirSync(join(folder, '1_Pooling'))
  write({ 'config.json': {}, 'tokenizer.json': {}, 'tokenizer_config.json': {}, 'onnx/model_quantized.onnx': '' })
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(files: Record<string, unknown>): void {
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
}

describe('readModelSettings', () => {
  it('uses mean pooling by default', () => {
    expect(readModelSettings(folder)).toEqual({
      queryPrefix: '',
      passagePrefix: '',
      pooling: 'mean',
      output: null,
      maxTokens: 510,
      denseLayers: [],
      keptDimensions: null,
      dimensions: null,
      weights: 'model_quantized.onnx',
    })
  })

  it('reads the bundled model', () => {
    const shipped = resolve(import.meta.dirname, '../../../models/all-MiniLM-L6-v2')
    expect(readModelSettings(shipped)).toMatchObject({ passagePrefix: '', pooling: 'mean', maxTokens: 254 })
  })

  it('reads the files of sentence-transformers', () => {
    write({
      '1_Pooling/config.json': { pooling_mode_cls_token: true, pooling_mode_mean_tokens: false, include_prompt: true },
      'config_sentence_transformers.json': { prompts: { query: 'query: ', passage: 'passage: ' } },
      'modules.json': [
        { idx: 0, path: '', type: 'sentence_transformers.models.Transformer' },
        { idx: 1, path: '1_Pooling', type: 'sentence_transformers.models.Pooling' },
        { idx: 2, path: '2_Normalize', type: 'sentence_transformers.models.Normalize' },
      ],
      'sentence_bert_config.json': { max_seq_length: 128 },
      'tokenizer_config.json': { model_max_length: 1e30 },
    })
    expect(readModelSettings(folder)).toMatchObject({
      queryPrefix: 'query: ',
      passagePrefix: 'passage: ',
      pooling: 'cls',
      maxTokens: 126,
    })
  })

  it.each([
    [{ prompts: { document: 'd ', passage: 'p ' } }, '', 'd '],
    [{ prompts: { all: 'a ', query: 'q ' }, default_prompt_name: 'all' }, 'q ', 'a '],
    [{ prompts: { query: '', document: '' }, default_prompt_name: null }, '', ''],
    [{ prompts: null }, '', ''],
  ])('finds the prompts in %j', (prompts, queryPrefix, passagePrefix) => {
    write({ 'config_sentence_transformers.json': prompts })
    expect(readModelSettings(folder)).toMatchObject({ queryPrefix, passagePrefix })
  })

  it.each([
    [{ pooling_mode_lasttoken: true, pooling_mode_mean_tokens: false }, 'last'],
    [{ pooling_mode_mean_sqrt_len_tokens: true }, 'mean'],
    [{ pooling_mode: 'mean', embedding_dimension: 384 }, 'mean'],
    [{ pooling_mode: 'cls' }, 'cls'],
  ])('supports the pooling %j', (pooling, expected) => {
    write({ '1_Pooling/config.json': pooling })
    expect(readModelSettings(folder).pooling).toBe(expected)
  })

  it('prefers sitelore.json', () => {
    write({
      '1_Pooling/config.json': { pooling_mode_max_tokens: true },
      'config_sentence_transformers.json': { prompts: { query: 'query: ', passage: 'passage: ' } },
      'sitelore.json': { query_prefix: 'Find: ', passage_prefix: '', pooling: 'last', normalize: true },
    })
    expect(readModelSettings(folder)).toMatchObject({ queryPrefix: 'Find: ', passagePrefix: '', pooling: 'last' })
  })

  it('uses unquantized weights if there are no quantized ones', () => {
    rmSync(join(folder, 'onnx/model_quantized.onnx'))
    expect(() => readModelSettings(folder)).toThrow(/onnx\/model_quantized\.onnx is missing in .+\.$/)
    write({ 'onnx/model.onnx': '' })
    expect(readModelSettings(folder).weights).toBe('model.onnx')
  })

  it('limits the tokens to the positions of the model', () => {
    write({ 'config.json': { max_position_embeddings: 130 } })
    expect(readModelSettings(folder).maxTokens).toBe(128)
    write({ 'config.json': { max_position_embeddings: 8_192 } })
    expect(readModelSettings(folder).maxTokens).toBe(510)
  })

  it.each([
    ['sitelore.json', '{', /^sitelore\.json in .+ is not valid JSON\.$/],
    ['sitelore.json', { pooling: 'max' }, /^sitelore\.json in .+ is invalid: pooling must be mean, cls or last\.$/],
    ['sitelore.json', { querry_prefix: 'q' }, /^sitelore\.json in .+ is invalid: .+querry_prefix.*\.$/],
    ['sitelore.json', { query_prefix: 1 }, /query_prefix must be text\.$/],
    ['sitelore.json', { passage_prefix: 'x'.repeat(1_001) }, /passage_prefix must have at most 1000 characters\.$/],
    ['sitelore.json', { normalize: false }, /normalize must be true or omitted: .+\.$/],
    [
      'config.json',
      { max_position_embeddings: 'many' },
      /^config\.json .+ max_position_embeddings must be a number\.$/,
    ],
    [
      '1_Pooling/config.json',
      { pooling_mode_max_tokens: true },
      /requires the pooling 'max_tokens', which is not supported: .+\.$/,
    ],
    ['1_Pooling/config.json', { pooling_mode_cls_token: true, pooling_mode_mean_tokens: true }, /'cls_token and mean_/],
    ['1_Pooling/config.json', { pooling_mode: 'cls', include_prompt: false }, /excludes the prompt from the vector/],
    ['config_sentence_transformers.json', { prompts: { query: 1 } }, /prompts query must be text\.$/],
    ['modules.json', [{ type: 'sentence_transformers.models.LSTM' }], /a module that is not supported: LSTM\.$/],
    ['modules.json', [{ type: 'models.Dense', path: '../../x' }], /a layer with an invalid path: '\.\.\/\.\.\/x'\.$/],
    ['modules.json', [{ type: 'models.Dense' }], /a layer with an invalid path: ''\.$/],
    ['sitelore.json', { dimensions: 64 }, /dimensions must be at least 128\.$/],
    ['sitelore.json', { dimensions: 5_000 }, /dimensions must be at most 4096\.$/],
    ['sitelore.json', { dimensions: 200.5 }, /dimensions must be a whole number\.$/],
    ['modules.json', {}, /^modules\.json in .+ must be a list\.$/],
  ])('rejects %s with %j', (file, content, sentence) => {
    write({ [file]: content })
    expect(() => readModelSettings(folder)).toThrow(sentence)
  })

  it.each(['config.json', 'tokenizer.json', 'tokenizer_config.json'])('fails if %s is missing', (file) => {
    rmSync(join(folder, file))
    expect(() => readModelSettings(folder)).toThrow(
      `The embedding model is incomplete: ${file} is missing in ${folder}.`,
    )
  })
})
