const bytesPerToken = 3

/** An upper estimate for most texts: a token has three to four bytes in most languages. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken)
}

/** Splits texts into batches within the limits, in order. A text above the limit of tokens is a batch of its own. */
export function splitBatches(
  texts: string[],
  { texts: maxTexts, tokens: maxTokens }: { texts: number; tokens: number },
): string[][] {
  const batches: string[][] = []
  let batch: string[] = []
  let tokens = 0
  for (const text of texts) {
    const added = estimateTokens(text)
    if (batch.length > 0 && (batch.length >= maxTexts || tokens + added > maxTokens)) {
      batches.push(batch)
      batch = []
      tokens = 0
    }
    batch.push(text)
    tokens += added
  }
  return batch.length > 0 ? [...batches, batch] : batches
}
