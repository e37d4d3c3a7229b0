/** A cross-encoder: a model that reads a query and a text together, and scores how well the text answers. */
export interface Reranker {
  /** The name of the model. */
  readonly model: string
  /**
   * Scores texts in order for at most this time, and returns the scores of those that were read; higher is better. Rejects if
   * the model fails.
   */
  score(query: string, texts: string[], budgetMs: number): Promise<number[]>
  close(): Promise<void>
}
