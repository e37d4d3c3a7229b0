import { AutoModelForSequenceClassification, AutoTokenizer, Tensor } from '@huggingface/transformers'
import { firstCharacters, localModel, truncateTokens } from '../embedding/local-model'
import type { RerankerSettings } from './reranker-settings'

export interface RerankingSession {
  /** Truncates the query to half of the length of the model, and the text to the rest. */
  score(query: string, text: string): Promise<number>
  close(): Promise<void>
}

export interface RerankingSessionOptions extends RerankerSettings {
  modelFolder: string
  /** Threads of the runtime. */
  threads: number
}

interface EncodedPair {
  input_ids: number[]
  token_type_ids?: number[]
}

/** Loads the model into this thread. Reads local files only. */
export async function openRerankingSession({
  modelFolder,
  maxTokens,
  weights,
  threads,
}: RerankingSessionOptions): Promise<RerankingSession> {
  const { name, ...options } = localModel(modelFolder, weights)
  const tokenizer = await AutoTokenizer.from_pretrained(name)
  const model = await AutoModelForSequenceClassification.from_pretrained(name, {
    ...options,
    session_options: { intraOpNumThreads: threads, interOpNumThreads: 1 },
  })

  return {
    async score(query, text) {
      const pair = { text_pair: firstCharacters(text, maxTokens), return_tensor: false, return_token_type_ids: true }
      // A character has one token at most, but for rare ones.
      const encoded = tokenizer(query.slice(0, maxTokens / 2), pair) as EncodedPair
      const tokens = truncateTokens(encoded.input_ids, maxTokens)
      const types = truncateTokens(encoded.token_type_ids ?? encoded.input_ids.map(() => 0), maxTokens)
      const shape = [1, tokens.length]
      const results: { logits?: { data: unknown } } = await model({
        input_ids: new Tensor('int64', BigInt64Array.from(tokens, BigInt), shape),
        attention_mask: new Tensor('int64', new BigInt64Array(tokens.length).fill(1n), shape),
        token_type_ids: new Tensor('int64', BigInt64Array.from(types, BigInt), shape),
      })
      const logits = results.logits?.data
      if (!(logits instanceof Float32Array) || logits.length !== 1 || !Number.isFinite(logits[0]))
        throw new Error('The model has no output named logits with one score.')
      return logits[0] ?? 0
    },
    async close() {
      await model.dispose()
    },
  }
}
