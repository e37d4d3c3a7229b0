declare module 'word-extractor' {
  interface WordDocument {
    getBody(): string
    getFootnotes(): string
    getEndnotes(): string
    getTextboxes(): string
  }

  /** The part of it that we measure; the package has no types of its own. */
  class WordExtractor {
    extract(path: string): Promise<WordDocument>
  }

  export = WordExtractor
}
