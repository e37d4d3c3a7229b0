const kibibyte = 1024
const mebibyte = 1024 * kibibyte
const second = 1000

/** What one kind of request may cost: bytes as sent, bytes after decompression, milliseconds in all. */
export interface FetchLimits {
  wireBytes: number
  decodedBytes: number
  totalMs: number
}

/** Every limit of reading web sites. Times are in milliseconds, sizes in bytes. Operators see them, tests hold them. */
export const crawlLimits = {
  fetch: {
    page: { wireBytes: 10 * mebibyte, decodedBytes: 20 * mebibyte, totalMs: 30 * second },
    robots: { wireBytes: 512 * kibibyte, decodedBytes: 512 * kibibyte, totalMs: 30 * second },
    sitemap: { wireBytes: 50 * mebibyte, decodedBytes: 50 * mebibyte, totalMs: 180 * second },
    /** A file that is met on a site. */
    document: { wireBytes: 64 * mebibyte, decodedBytes: 64 * mebibyte, totalMs: 180 * second },
  },
  connectMs: 10 * second,
  headersMs: 15 * second,
  /** All headers of an answer together. */
  headerBytes: 64 * kibibyte,
  /** Read of what is no page, to tell what it is. */
  sniffBytes: 4 * kibibyte,
  /** Read of a text that is no page: an llms.txt is one. */
  textBytes: mebibyte,
  redirects: 5,
  encodings: 2,
  /** Path segments of an address. */
  depth: 20,
  urlLength: 2048,
  /** How often one path segment may occur in an address. */
  segmentRepeats: 3,
  robots: {
    cacheMs: 24 * 3600 * second,
    /** How soon a robots.txt that could not be read is asked for again. */
    failureCacheMs: 5 * second,
    crawlDelayMs: 30 * second,
  },
  sitemap: {
    /** After the file's own gzip, too. */
    decodedBytes: 50 * mebibyte,
    addresses: 50_000,
    files: 500,
    indexDepth: 3,
  },
  /** Addresses of one source, all of which a run reads. */
  pagesPerRun: 50_000,
  /** So many addresses of a source with the same text, and the links of others with it are not followed. */
  duplicateTextStreak: 10,
  /**
   * So many pages, each found on the one before, that bring no words which the run has not met, whatever their numbers
   * are, and the links of the last are not followed.
   */
  numberedPageStreak: 50,
  /** Links taken from one page. */
  linksPerPage: 2000,
  /** Links that are not followed, told of one page. */
  excludedLinksPerPage: 50,
  /** Addresses that are not in (excluded, too deep, over a limit), shown with their reason in one source; more are counted. */
  excludedAddresses: 1_000,
  /** How long a refresh is waited for until it has found its addresses. */
  maxDiscoveryWaitMs: 20 * second,
  /** Run reports kept of each source. */
  runReports: 20,
  /** A crawl that others wait for gives them its place after so long. */
  sliceMs: 5 * second,
  /** A preview reads at most so many pages, for at most so long. */
  preview: { pages: 100, totalMs: 60 * second, addresses: 50_000 },
  /** Previews of sites and of single pages, in fair turns by organization. */
  previewTurns: { concurrency: 8, perOrganization: 2, maxWaiting: 2, retryAfterSeconds: 10 },
  /** The waits before each further attempt of a run at a page or a sitemap; after the last one it has failed. */
  retryDelaysMs: [2 * second, 10 * second],
  /** The longest wait that a Retry-After can ask for before the address is tried again. */
  retryAfterMs: 3600 * second,
  /** The wait where the site names none. */
  retryMs: 60 * second,
  /** A longer wait for a host is not waited for: the address goes back and is tried later. */
  maxHostWaitMs: 60 * second,
  extractMs: 20 * second,
  /** Tokens of a fragment including its title and headings, and of title and headings alone. */
  fragment: { targetTokens: 200, maxTokens: 254, contextTokens: 80 },
} as const satisfies { fetch: Record<string, FetchLimits> } & Record<string, unknown>

/** Searches in fair turns by organization, those for the answers of agents included. */
export const searchLimits = {
  turns: { concurrency: 4, perOrganization: 2, maxWaiting: 30, retryAfterSeconds: 1 },
} as const

/** Limits of reading files. Times are in milliseconds, sizes in bytes. */
export const fileLimits = {
  /** What an archive may unpack to, and the maximum ratio to its own size above `ratioExemptBytes`. */
  zip: { entries: 2_000, unpackedBytes: 256 * mebibyte, ratio: 100, ratioExemptBytes: mebibyte },
  /** Limits of the process that reads a file. */
  process: {
    /** Files that are read at once; others wait. */
    concurrency: 2,
    heapBytes: 400 * mebibyte,
    /** Resident set size, the program included. */
    memoryBytes: 512 * mebibyte,
    /** Total time in which a consumer waits for it. */
    totalMs: 600 * second,
    /** Time without output. */
    idleMs: 60 * second,
    /** Total output for one file. */
    fragments: 500_000,
    outputBytes: 1024 * mebibyte,
  },
  /** XML in archives: depth of nesting, and characters of one tag. */
  xml: { depth: 500, tagCharacters: 4 * mebibyte },
  /**
   * Word files: styles or lists defined, runs with properties, characters of a block before it is split, and characters
   * of all notes.
   */
  word: { definitions: 20_000, propertyRuns: 2_000_000, blockCharacters: 64 * 1024, noteCharacters: 16 * mebibyte },
  /**
   * Tables: columns as in spreadsheet programs, rows of a file, and characters after which cells and rows are
   * truncated.
   */
  table: { columns: 16_384, rows: 5_000_000, cellLength: 32_767, rowLength: 256 * 1024 },
  /** Characters of a CSV record; a longer one is read with quotes as ordinary characters. */
  csv: { recordLength: mebibyte },
  /** Workbooks. */
  workbook: { sheets: 1_000, strings: 10_000_000, mergedRanges: 20_000 },
  /** Characters after which lines and paragraphs are split. */
  text: { lineLength: 16 * 1024, paragraphLength: 64 * 1024 },
  /**
   * PDF files: pages, time for reading them (the rest is cut), characters of a page, fonts looked up, codes in the
   * ranges of a CMap, outline entries; pages and characters buffered to find running headers.
   */
  pdf: {
    pages: 5_000,
    readMs: 240 * second,
    pageCharacters: 500_000,
    fonts: 200,
    codes: 131_072,
    outline: 20_000,
    bufferedPages: 32,
    bufferedCharacters: 1_000_000,
  },
} as const
