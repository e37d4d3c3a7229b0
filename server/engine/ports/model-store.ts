import type { ModelsView } from '../../../contract/views/model'

/** Folder within that of the models for those that are not complete yet. */
export const incompleteModelsFolder = '.pulling'

/** The models on this machine, for embeddings and for reranking, and those that it can get. */
export interface ModelStore {
  list(): Promise<ModelsView>
  /** As the card of the model says; null for a model that is not in the catalogue. */
  languagesOf(name: string): string | null
}
