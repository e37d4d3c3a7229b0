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
  },
  connectMs: 10 * second,
  headersMs: 15 * second,
  /** All headers of an answer together. */
  headerBytes: 64 * kibibyte,
  /** Read of what is no page, to tell what it is. */
  sniffBytes: 4 * kibibyte,
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
  preview: { pages: 100, totalMs: 60 * second, addresses: 50_000, atOnce: 4 },
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
