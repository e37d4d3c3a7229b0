import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { tinyOnnx } from './tiny-onnx'

export interface TinyModel {
  tokenizer?: 'WordPiece' | 'Unigram' | 'BPE'
  dimensions?: number
  /** Whether its only result is one vector of the text. */
  pools?: boolean
  /** Makes it a reranker: a pair has the mean of the numbers of its words, which are 0 without one. */
  scores?: Record<string, number>
  /** Whether the numbers are in a file of their own. */
  hasDataFile?: boolean
  weights?: 'model.onnx' | 'model_quantized.onnx'
  /** Further files by name, and others in place of those that it has: objects are written as JSON. */
  files?: Record<string, unknown>
}

const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789:.']
const words = ['lamp', 'bulb', 'light', 'query', 'passage', 'mine', 'the', 'of', 'number', 'Lampen', 'światło', '灯']

/** Writes the folder of a model that embeds each piece by itself: small, and quick to load and to run. */
export function writeTinyModel(folder: string, model: TinyModel = {}): string {
  const {
    tokenizer = 'WordPiece',
    dimensions = 384,
    pools = false,
    scores,
    hasDataFile = false,
    weights = 'model.onnx',
    files = {},
  } = model
  const { names, file } = tokenizers[tokenizer]()
  const table = scores ? scoresOf(names, scores) : tableOf(names.length * dimensions)
  const pooledAs = scores ? 'logits' : pools ? 'sentence_embedding' : undefined
  const dataFile = `${weights}_data`
  const all = {
    'config.json': {
      model_type: 'bert',
      max_position_embeddings: 512,
      ...(scores ? { architectures: ['BertForSequenceClassification'] } : {}),
    },
    'tokenizer.json': file,
    'tokenizer_config.json': { tokenizer_class: 'PreTrainedTokenizer', model_max_length: 512 },
    [join('onnx', weights)]: tinyOnnx(table, scores ? 1 : dimensions, {
      ...(pooledAs ? { pooledAs } : {}),
      ...(hasDataFile ? { dataFile } : {}),
    }),
    ...(hasDataFile ? { [join('onnx', dataFile)]: new Uint8Array(table.buffer) } : {}),
    ...files,
  }
  for (const [name, content] of Object.entries(all)) {
    const written = content instanceof Uint8Array || typeof content === 'string' ? content : JSON.stringify(content)
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), written)
  }
  return folder
}

function scoresOf(names: string[], scores: Record<string, number>): Float32Array {
  return Float32Array.from(names, (name) => scores[name] ?? 0)
}

/** Numbers that look random, the same in every run. */
function tableOf(length: number): Float32Array {
  let seed = 7
  return Float32Array.from({ length }, () => {
    seed = (seed * 16_807) % 2_147_483_647
    return seed / 2_147_483_647 - 0.5
  })
}

const tokenizers = {
  WordPiece() {
    const pieces = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', ...letters, ...letters.map((letter) => `##${letter}`), ...words]
    const model = { type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##', vocab: numbered(pieces) }
    const normalizer = { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, lowercase: true }
    return fileOf(pieces, model, normalizer, { type: 'BertPreTokenizer' }, ['[CLS]', '[SEP]'])
  },

  /** As models for many languages have it: a stroke for the space in front of a word, and the likeliest pieces. */
  Unigram() {
    const pieces = ['<s>', '<pad>', '</s>', '<unk>', '▁', ...letters, ...words, ...words.map((word) => `▁${word}`)]
    const likely = (piece: string, number: number) => (number < 4 ? 0 : piece.length > 1 ? -4 : -9)
    const model = { type: 'Unigram', unk_id: 3, vocab: pieces.map((piece, n) => [piece, likely(piece, n)]) }
    const before = { type: 'Metaspace', replacement: '▁', add_prefix_space: true, prepend_scheme: 'always' }
    return fileOf(pieces, model, { type: 'NFKC' }, before, ['<s>', '</s>'])
  },

  BPE() {
    const merges = ['l a', 'm p', 'la mp', 'Ġ lamp', 't h', 'th e', 'Ġ the']
    const merged = merges.map((merge) => merge.replace(' ', ''))
    const pieces = ['<s>', '</s>', 'Ġ', ...letters, ...merged]
    const model = { type: 'BPE', vocab: numbered(pieces), merges, byte_fallback: false, fuse_unk: false }
    const before = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true }
    return fileOf(pieces, model, null, before, ['<s>', '</s>'])
  },
}

function numbered(pieces: string[]): Record<string, number> {
  return Object.fromEntries(pieces.map((piece, number) => [piece, number]))
}

function fileOf(pieces: string[], model: object, normalizer: object | null, before: object, around: string[]) {
  const special = around.map((content) => ({ id: pieces.indexOf(content), content, special: true }))
  const single = [around[0], null, around[1]].map((name) =>
    name == null ? { Sequence: { id: 'A', type_id: 0 } } : { SpecialToken: { id: name, type_id: 0 } },
  )
  const second = [{ Sequence: { id: 'B', type_id: 1 } }, { SpecialToken: { id: around[1], type_id: 1 } }]
  const ids = Object.fromEntries(
    special.map(({ id, content }) => [content, { id: content, ids: [id], tokens: [content] }]),
  )
  const after = { type: 'TemplateProcessing', single, pair: [...single, ...second], special_tokens: ids }
  const flags = { single_word: false, lstrip: false, rstrip: false, normalized: false }
  const added_tokens = special.map((token) => ({ ...token, ...flags }))
  return {
    names: pieces,
    file: {
      version: '1.0',
      added_tokens,
      normalizer,
      pre_tokenizer: before,
      post_processor: after,
      decoder: null,
      model,
    },
  }
}
