import { maxPictureBytes } from '../../contract/values/limits'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte
const second = 1000

/** Limits of one kind of request: bytes as sent, bytes after decompression, and total milliseconds. */
export interface FetchLimits {
  wireBytes: number
  decodedBytes: number
  totalMs: number
}

/** Limits of crawling. Times are in milliseconds, sizes in bytes. */
export const crawlLimits = {
  fetch: {
    page: { wireBytes: 10 * mebibyte, decodedBytes: 20 * mebibyte, totalMs: 30 * second },
    robots: { wireBytes: 512 * kibibyte, decodedBytes: 512 * kibibyte, totalMs: 30 * second },
    sitemap: { wireBytes: 50 * mebibyte, decodedBytes: 50 * mebibyte, totalMs: 180 * second },
    /** A document, such as a PDF, on a site. */
    document: { wireBytes: 64 * mebibyte, decodedBytes: 64 * mebibyte, totalMs: 180 * second },
    /** The picture of a person, at the sign-in provider. */
    picture: { wireBytes: maxPictureBytes, decodedBytes: maxPictureBytes, totalMs: 30 * second },
    /** The icon of a site, as browsers show it beside its title. */
    icon: { wireBytes: 64 * kibibyte, decodedBytes: 64 * kibibyte, totalMs: 10 * second },
    /** What the widget check reads: a page with the widget, and the widget's own address. */
    embed: { wireBytes: 4 * mebibyte, decodedBytes: 8 * mebibyte, totalMs: 15 * second },
  },
  connectMs: 10 * second,
  headersMs: 15 * second,
  /** All headers of a response. */
  headerBytes: 64 * kibibyte,
  /** Bytes from which the type of a response that is not HTML is detected. */
  sniffBytes: 4 * kibibyte,
  /** Plain text files, such as llms.txt. */
  textBytes: mebibyte,
  redirects: 5,
  encodings: 2,
  /** Path segments of a URL. */
  depth: 20,
  urlLength: 2048,
  /** Occurrences of one path segment in a URL. */
  segmentRepeats: 3,
  robots: {
    cacheMs: 24 * 3600 * second,
    /** Time until a robots.txt that could not be read is requested again. */
    failureCacheMs: 5 * second,
    crawlDelayMs: 30 * second,
  },
  sitemap: {
    /** Bytes of a body, also after decompressing a gzip file. */
    decodedBytes: 50 * mebibyte,
    addresses: 50_000,
    files: 500,
    indexDepth: 3,
  },
  /** Addresses of a source, all of which a run reads. */
  pagesPerRun: 50_000,
  /** Addresses of a source with the same text, after which links of further ones are not followed. */
  duplicateTextStreak: 10,
  /**
   * Pages in a row, each linked from the previous one, that have no words that are new to the run, ignoring numbers;
   * then links of the last are not followed.
   */
  numberedPageStreak: 50,
  /** Links taken from one page. */
  linksPerPage: 2000,
  /** Excluded links reported of one page. */
  excludedLinksPerPage: 50,
  /** Excluded addresses of a source that are listed with their reason; further ones are only counted. */
  excludedAddresses: 1_000,
  /** Time that a request waits for a refresh to discover its addresses. */
  maxDiscoveryWaitMs: 20 * second,
  /** Stored run reports of a source. */
  runReports: 20,
  /** Time after which a crawl yields to those that wait. */
  sliceMs: 5 * second,
  /** Limits of a preview: pages read, total time, and addresses listed. */
  preview: { pages: 100, totalMs: 60 * second, addresses: 50_000 },
  /** Fair turns of previews, of sites and single pages, by organization. */
  previewTurns: { concurrency: 8, perOrganization: 2, maxWaiting: 2, retryAfterSeconds: 10 },
  widgetCheckTurns: { concurrency: 4, perOrganization: 1, maxWaiting: 1, retryAfterSeconds: 10 },
  /** Delays before a run retries a page or a sitemap; after the last one, it has failed. */
  retryDelaysMs: [2 * second, 10 * second],
  /** Longer Retry-After headers are reduced to this. */
  retryAfterMs: 3600 * second,
  /** Delay of a retry without a Retry-After header. */
  retryMs: 60 * second,
  /** If a host allows no request within this time, the address is requeued. */
  maxHostWaitMs: 60 * second,
  /** Time for the text of a page: that of its thread on a processor, and in all. */
  extract: { processorMs: 20 * second, totalMs: 120 * second },
  /** Tokens of a fragment including its title and headings, and of title and headings alone. */
  fragment: { targetTokens: 200, maxTokens: 254, contextTokens: 80 },
} as const satisfies { fetch: Record<string, FetchLimits> } & Record<string, unknown>

/** Fair turns of searches by organization, including those for answers of agents, which are patient. */
export const searchLimits = {
  turns: {
    concurrency: 6,
    perOrganization: 3,
    perSharingOrganization: 1,
    maxWaiting: 30,
    maxPatient: 300,
    retryAfterSeconds: 1,
  },
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
    /** Processor time for a file that is an archive, and in addition for each MiB of it. */
    archiveMs: 10 * second,
    archiveMsPerMebibyte: 3 * second,
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
