import type { ModelKind } from '../../../contract/views/model'
import type { OwnSettings } from '../embedding/model-settings'

/**
 * A model as its publisher's card describes it (https://huggingface.co/<id>, read in November 2026). The sizes are
 * those of the chosen files.
 */
export interface CatalogueModel {
  id: string
  /** Where the ONNX files are, if another repository than the publisher's has them. */
  repository?: string
  /** The weights to take, in the folder `onnx` of the repository. */
  weights: 'model_quantized.onnx' | 'model.onnx'
  kind: ModelKind
  languages: string
  /** Null for a reranker, which has no vectors. */
  dimensions: number | null
  maxTokens: number
  diskMb: number
  /** Of each thread that uses it: the weights, the runtime, and the vocabulary. */
  memoryMb: number
  license: string
  /** Whether it was run with this product. */
  isTested: boolean
  /** What the files in the repository do not say. Becomes `sitelore.json`. */
  settings: OwnSettings
}

/** What the card of the model that ships says. */
export const bundledModel = {
  name: 'all-MiniLM-L6-v2',
  kind: 'embedding',
  languages: 'English',
  license: 'Apache-2.0',
} as const

const bgeQuery = 'Represent this sentence for searching relevant passages: '

export const catalogue: readonly CatalogueModel[] = [
  {
    id: 'intfloat/multilingual-e5-small',
    repository: 'Xenova/multilingual-e5-small',
    weights: 'model_quantized.onnx',
    kind: 'embedding',
    languages: '94 languages',
    dimensions: 384,
    maxTokens: 512,
    diskMb: 136,
    memoryMb: 450,
    license: 'MIT',
    isTested: false,
    settings: { query_prefix: 'query: ', passage_prefix: 'passage: ', pooling: 'mean' },
  },
  {
    id: 'intfloat/multilingual-e5-base',
    repository: 'Xenova/multilingual-e5-base',
    weights: 'model_quantized.onnx',
    kind: 'embedding',
    languages: '94 languages',
    dimensions: 768,
    maxTokens: 512,
    diskMb: 297,
    memoryMb: 620,
    license: 'MIT',
    isTested: false,
    settings: { query_prefix: 'query: ', passage_prefix: 'passage: ', pooling: 'mean' },
  },
  {
    id: 'BAAI/bge-small-en-v1.5',
    repository: 'Xenova/bge-small-en-v1.5',
    weights: 'model_quantized.onnx',
    kind: 'embedding',
    languages: 'English',
    dimensions: 384,
    maxTokens: 512,
    diskMb: 35,
    memoryMb: 140,
    license: 'MIT',
    isTested: false,
    settings: { query_prefix: bgeQuery, pooling: 'cls' },
  },
  {
    id: 'BAAI/bge-base-en-v1.5',
    repository: 'Xenova/bge-base-en-v1.5',
    weights: 'model_quantized.onnx',
    kind: 'embedding',
    languages: 'English',
    dimensions: 768,
    maxTokens: 512,
    diskMb: 111,
    memoryMb: 230,
    license: 'MIT',
    isTested: false,
    settings: { query_prefix: bgeQuery, pooling: 'cls' },
  },
  {
    id: 'BAAI/bge-m3',
    repository: 'Xenova/bge-m3',
    weights: 'model_quantized.onnx',
    kind: 'embedding',
    languages: 'more than 100 languages',
    dimensions: 1024,
    maxTokens: 8192,
    diskMb: 587,
    memoryMb: 950,
    license: 'MIT',
    isTested: false,
    settings: { pooling: 'cls' },
  },
  {
    id: 'Alibaba-NLP/gte-multilingual-base',
    repository: 'onnx-community/gte-multilingual-base',
    weights: 'model_quantized.onnx',
    kind: 'embedding',
    languages: 'more than 70 languages',
    dimensions: 768,
    maxTokens: 8192,
    diskMb: 357,
    memoryMb: 700,
    license: 'Apache-2.0',
    isTested: false,
    settings: { pooling: 'cls' },
  },
  {
    id: 'Snowflake/snowflake-arctic-embed-m-v2.0',
    weights: 'model_quantized.onnx',
    kind: 'embedding',
    languages: '74 languages',
    dimensions: 768,
    maxTokens: 8192,
    diskMb: 328,
    memoryMb: 650,
    license: 'Apache-2.0',
    isTested: false,
    settings: { query_prefix: 'query: ', pooling: 'cls', output: 'sentence_embedding' },
  },
  {
    id: 'nomic-ai/nomic-embed-text-v1.5',
    weights: 'model_quantized.onnx',
    kind: 'embedding',
    languages: 'English',
    dimensions: 768,
    maxTokens: 8192,
    diskMb: 138,
    memoryMb: 260,
    license: 'Apache-2.0',
    isTested: false,
    settings: { query_prefix: 'search_query: ', passage_prefix: 'search_document: ', pooling: 'mean' },
  },
  {
    id: 'google/embeddinggemma-300m',
    repository: 'onnx-community/embeddinggemma-300m-ONNX',
    weights: 'model_quantized.onnx',
    kind: 'embedding',
    languages: 'more than 100 languages',
    dimensions: 768,
    maxTokens: 2048,
    diskMb: 330,
    memoryMb: 750,
    license: 'Gemma Terms of Use',
    isTested: false,
    settings: {
      query_prefix: 'task: search result | query: ',
      passage_prefix: 'title: none | text: ',
      output: 'sentence_embedding',
    },
  },
  {
    id: 'Qwen/Qwen3-Embedding-0.6B',
    repository: 'onnx-community/Qwen3-Embedding-0.6B-ONNX',
    weights: 'model_quantized.onnx',
    kind: 'embedding',
    languages: 'more than 100 languages',
    dimensions: 1024,
    maxTokens: 32_768,
    diskMb: 625,
    memoryMb: 1_100,
    license: 'Apache-2.0',
    isTested: false,
    settings: {
      query_prefix: 'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:',
      pooling: 'last',
    },
  },
  {
    id: 'cross-encoder/ms-marco-MiniLM-L6-v2',
    repository: 'Xenova/ms-marco-MiniLM-L-6-v2',
    weights: 'model_quantized.onnx',
    kind: 'reranker',
    languages: 'English',
    dimensions: null,
    maxTokens: 512,
    diskMb: 24,
    memoryMb: 130,
    license: 'Apache-2.0',
    isTested: false,
    settings: {},
  },
  {
    id: 'BAAI/bge-reranker-v2-m3',
    repository: 'onnx-community/bge-reranker-v2-m3-ONNX',
    weights: 'model_quantized.onnx',
    kind: 'reranker',
    languages: 'more than 100 languages',
    dimensions: null,
    maxTokens: 8192,
    diskMb: 588,
    memoryMb: 950,
    license: 'Apache-2.0',
    isTested: false,
    settings: {},
  },
  {
    id: 'jinaai/jina-reranker-v2-base-multilingual',
    weights: 'model_quantized.onnx',
    kind: 'reranker',
    languages: 'more than 100 languages',
    dimensions: null,
    maxTokens: 1024,
    diskMb: 297,
    memoryMb: 620,
    license: 'CC-BY-NC-4.0',
    isTested: false,
    settings: {},
  },
]

/** Finds a model by its id, by its repository, or by the last part of either. Case does not matter. */
export function findInCatalogue(name: string): CatalogueModel | null {
  const wanted = name.toLowerCase()
  const names = ({ id, repository }: CatalogueModel) => [id, ...(repository === undefined ? [] : [repository])]
  return (
    catalogue.find((model) => names(model).some((known) => known.toLowerCase() === wanted)) ??
    catalogue.find((model) => names(model).some((known) => known.split('/').at(-1)?.toLowerCase() === wanted)) ??
    null
  )
}
