/** A model that a collection can have. */
export interface ModelChoice {
  /** As in EMBEDDING_MODEL. */
  name: string
  /** As its card says; null for a model that is not in the catalogue. */
  languages: string | null
  /** Whether it is known to be made for several languages. */
  is_multilingual: boolean
  /** Whether the texts of fragments and the queries are sent to a service. */
  is_service: boolean
}

/** A change of the embedding model of a collection. */
export interface ModelChangeView {
  /** The new model. */
  model: string
  /** `removing`: searches use the new vectors, or the change was cancelled; the vectors not in use are being removed. */
  state: 'building' | 'paused' | 'removing'
  /** Fragments that have a vector of the new model, and all of the collection. */
  done: number
  total: number
  /** Null before the first fragments are embedded. */
  seconds_left: number | null
  /** Why it does not go on; null while it does. */
  problem: string | null
}

/** The embedding model of a collection. */
export interface EmbeddingModelView extends ModelChoice {
  /** Why semantic search is unavailable in the collection; null if it is available, or while the model is loaded. */
  problem: string | null
  /** The language of most of the collection's text, if the model does not know it (BCP 47). */
  weak_language: string | null
  change: ModelChangeView | null
  /** The models that it can be changed to. */
  choices: ModelChoice[]
  /** About how many tokens all fragments have, which a service would embed. */
  tokens: number
}
