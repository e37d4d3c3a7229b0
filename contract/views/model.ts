/** `reranker`: a cross-encoder, which scores a text for a query. */
export type ModelKind = 'embedding' | 'reranker'

/** A model on this machine. */
export interface ModelView {
  /** The name for EMBEDDING_MODEL or RERANKER_MODEL. */
  name: string
  kind: ModelKind
  /** `bundled`: part of the product. `pulled`: from a hub. `added`: its folder was copied into the data folder. */
  origin: 'bundled' | 'pulled' | 'added'
  /** The commit of a pulled model. */
  commit: string | null
  /** Whether it is the value of EMBEDDING_MODEL or RERANKER_MODEL. */
  is_default: boolean
  /** As its card says; null for a model that is not in the catalogue. */
  languages: string | null
  license: string | null
  /** Numbers in a vector; null for a reranker, and if the files do not say. */
  dimensions: number | null
  /** Tokens of a text that it reads. */
  max_tokens: number | null
  /** Size of its files. */
  bytes: number
  /** Why it cannot be used; null if it can. */
  problem: string | null
}

/** A model that `sitelore models pull` knows. Sizes and limits are those of its published card. */
export interface CatalogueView {
  id: string
  kind: ModelKind
  languages: string
  /** Null for a reranker. */
  dimensions: number | null
  /** Tokens that it was trained for. The product passes at most 512. */
  max_tokens: number
  /** Bytes of its files, and of memory for each thread that uses it; both approximate. */
  disk_bytes: number
  memory_bytes: number
  license: string
  /** Whether it was run with this product. */
  is_tested: boolean
}

export interface ModelsView {
  installed: ModelView[]
  /** Models that are not installed. */
  available: CatalogueView[]
}

/** The models with the number of collections that have each. */
export interface InstalledModelsView extends ModelsView {
  installed: (ModelView & { collections: number })[]
}
