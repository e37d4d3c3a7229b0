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
  sameTextStreak: 10,
  /**
   * So many pages, each found on the one before, that bring no words which the run has not met, whatever their numbers
   * are, and the links of the last are not followed.
   */
  numberStreak: 50,
  /** Links taken from one page. */
  linksPerPage: 2000,
  /** Links that are not followed, told of one page. */
  leftPerPage: 50,
  /** Addresses that are not in (excluded, too deep, over a limit), shown with their reason in one source; more are counted. */
  shownOutside: 1_000,
  /** How long a refresh is waited for until it has found its addresses. */
  discoveryWaitMs: 20 * second,
  /** Run reports kept of each source. */
  runsKept: 20,
  /** A crawl that others wait for gives them its place after so long. */
  sliceMs: 5 * second,
  /** A preview reads at most so many pages, for at most so long. */
  preview: { pages: 100, totalMs: 60 * second, addresses: 50_000 },
  /** Previews of sites and of single pages, in fair turns by organization. */
  previewTurns: { concurrency: 8, perOrganization: 2, maxWaiting: 2, retryAfterSeconds: 10 },
  /** The longest wait that a Retry-After can ask for before the address is tried again. */
  retryAfterMs: 3600 * second,
  /** The wait where the site names none. */
  retryMs: 60 * second,
  /** A longer wait for a host is not waited for: the address goes back and is tried later. */
  patienceMs: 60 * second,
  extractMs: 20 * second,
  /** Word pieces of a fragment: aimed at, and never exceeded, both with title and headings in front. */
  fragment: { aimPieces: 200, maxPieces: 254, contextPieces: 80 },
} as const satisfies { fetch: Record<string, FetchLimits> } & Record<string, unknown>

/** Searches in fair turns by organization, those for the answers of agents included. */
export const searchLimits = {
  turns: { concurrency: 4, perOrganization: 2, maxWaiting: 30, retryAfterSeconds: 1 },
} as const

/** Every limit of reading files. Times are in milliseconds, sizes in bytes. */
export const fileLimits = {
  /** What one archive may unpack to, against its own size; below `anyRatioBytes` the ratio is not asked for. */
  zip: { entries: 2_000, unpackedBytes: 256 * mebibyte, ratio: 100, ratioExemptBytes: mebibyte },
  /** Of the process that reads one file. */
  process: {
    /** Files that are read at once; others wait for their turn. */
    concurrency: 2,
    heapBytes: 400 * mebibyte,
    /** Resident, the program itself included. */
    memoryBytes: 512 * mebibyte,
    /** Of its own work: the time in which somebody waits for it. */
    totalMs: 600 * second,
    /** Without a sign of progress. */
    idleMs: 60 * second,
    /** What may come of one file. */
    fragments: 500_000,
    outputBytes: 1024 * mebibyte,
  },
  /** Of XML inside of an archive: nesting, and the characters of one tag. */
  xml: { depth: 500, tagCharacters: 4 * mebibyte },
  /**
   * Of a Word file: styles or lists that it defines, stretches of text that look alike, characters of a block before it
   * is cut, and of all notes together.
   */
  word: { definitions: 20_000, propertyRuns: 2_000_000, blockCharacters: 64 * 1024, noteCharacters: 16 * mebibyte },
  /** Of a table: columns as in spreadsheets, rows of one file; signs of a cell and of a row, which are cut there. */
  table: { columns: 16_384, rows: 5_000_000, cellLength: 32_767, rowLength: 256 * 1024 },
  /** Signs of one record; what has no end by then is read without regard to quotes. */
  csv: { recordLength: mebibyte },
  /** Of one workbook. */
  workbook: { sheets: 1_000, strings: 10_000_000, mergedRanges: 20_000 },
  /** Signs of one line and of one paragraph, which are divided there. */
  text: { lineLength: 16 * 1024, paragraphLength: 64 * 1024 },
  /**
   * Of a PDF: pages that are read, and the time for it (what is behind is left), characters of one page, fonts that are
   * looked up, codes in the ranges of one CMap, titles of the outline; pages and characters that are held at once to find
   * running heads.
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
