import type { ReasonCode } from '../../contract/texts/reasons'
import type { ParsedQuery } from './search/query/parsed-query'

/**
 * The interfaces through which the engine uses the outside world. Every adapter of a port passes the port's contract
 * tests in `tests/contracts/`.
 */

// ---------------------------------------------------------------------------------------------- fetching

/** The expected content, which decides the limits of size and time (see `limits.ts`). */
export type FetchKind = 'page' | 'robots' | 'sitemap' | 'document'

export interface FetchRequest {
  url: string
  kind: FetchKind
  /** Sent as If-None-Match and If-Modified-Since. */
  etag?: string
  lastModified?: string
  access?: SiteAccess
  /** Called before each redirect with its target and status; false refuses the request as 'not-allowed'. */
  mayFollow?: (url: string, status: number) => Promise<boolean>
  /**
   * Receives the decoded body of a 2xx response in chunks of any length, one after the other; the outcome's body is empty
   * then. Must not reject. The chunks are valid only if the outcome is 'fetched'.
   */
  onChunk?: (chunk: Uint8Array) => Promise<void>
}

/** Credentials of a protected site, sent with every request to exactly this origin and to no other. */
export interface SiteAccess {
  origin: string
  headers: Record<string, string>
}

/** Why a URL was not read. `contract/reasons.ts` has the sentences. */
export type FetchRefusal =
  | 'invalid-address'
  | 'private-address'
  | 'forbidden-address'
  | 'unresolved'
  | 'connection-failed'
  | 'timeout'
  | 'too-large'
  | 'too-many-redirects'
  | 'not-allowed'
  | 'bad-encoding'

export interface FetchedBody {
  kind: 'fetched'
  /** After all redirects. */
  url: string
  status: number
  /** Lower-case names; a repeated header is joined with ', '. */
  headers: Record<string, string>
  /** Decoded (gzip, br, deflate), within the limits of its kind; empty where `onChunk` received it. */
  body: Uint8Array
  /** URLs that redirected to `url`, in order. */
  redirectedFrom: string[]
  /** From the first byte sent to the last byte read, in milliseconds. */
  tookMs: number
}

/** Every response of a server, and every refusal to ask it, is a value. */
export type FetchOutcome =
  | FetchedBody
  | { kind: 'unchanged'; url: string; status: 304; headers: Record<string, string>; tookMs: number }
  | { kind: 'refused'; reason: FetchRefusal /** Safe to show. */; message: string }

/** Requests one URL that a person or a page named. Rejects only when `signal` aborts. */
export interface Fetcher {
  fetch(request: FetchRequest, signal?: AbortSignal): Promise<FetchOutcome>
}

/** A temporary file for one document. */
export interface Download {
  path: string
  /** Fits `FetchRequest.onChunk`: failures are reported by `end`. */
  write(chunk: Uint8Array): Promise<void>
  /** Returns the number of bytes. Throws where they could not be stored. */
  end(): Promise<number>
  remove(): Promise<void>
}

export interface Downloads {
  open(): Promise<Download>
}

// -------------------------------------------------------------------------------------------- extraction

export type Block =
  | { kind: 'heading'; level: number; text: string; anchor: string | null }
  /** `standalone`: gets a fragment of its own, as the summary of a sheet does. `mostlyLinks`: most of its text is links. */
  | {
      kind: 'paragraph' | 'quote' | 'image'
      text: string
      anchor: string | null
      standalone?: boolean
      mostlyLinks?: true
    }
  | {
      kind: 'table'
      text: string
      anchor: string | null
      standalone?: boolean
      anchors?: LineAnchor[]
      mostlyLinks?: true
    }
  /** `language` as the page declares it ('python'). */
  | { kind: 'code'; text: string; anchor: string | null; language?: string }
  /** One line per item, nested items indented by two spaces. */
  | { kind: 'list'; text: string; anchor: string | null; anchors?: LineAnchor[]; mostlyLinks?: true }

/** The anchor of a row or an item. `line` is its line in the text of the block, from 0; anchors are in order of lines. */
export interface LineAnchor {
  line: number
  anchor: string
}

/** The metadata of a page. */
export interface PageFacts {
  title: string
  description: string
  /** BCP 47, lower case ('en', 'pt-br'); '' if the page does not say. */
  language: string
  /** Absolute; null if the page has none. */
  canonical: string | null
  /** From the robots meta elements. */
  noindex: boolean
  nofollow: boolean
  /** From when on the page must not be indexed (unavailable_after), in milliseconds since 1970; null without one. */
  unavailableAfter: number | null
  /** What the page shows instead of content; null for a regular page. */
  interstitial: Interstitial | null
  /** Where a page without a text of its own sends its visitors; absolute, null for any other page. */
  forward: string | null
  /** Where the text was found; 'data' is structured data, hydration state, or a feed or llms.txt of the site. */
  textFrom: 'page' | 'noscript' | 'data'
  /** By the page's own metadata, in milliseconds since 1970; null without one. */
  publishedAt: number | null
  modifiedAt: number | null
}

/** 'script': the page needs JavaScript; 'soft-404': it says that it does not exist, whatever its status. */
export type Interstitial = 'login' | 'consent' | 'script' | 'soft-404'

export interface PageDocument extends PageFacts {
  /** The content of the page. */
  blocks: Block[]
  /** Readable boilerplate, such as footers and asides but not menus, in document order; without the contacts. */
  around: Block[]
  /** How to reach the people of the site, as far as it is not in the content: from footers, links and structured data. */
  contacts: Block[]
  /** The host if the page does not say. */
  siteName: string
  /** The name of the page above this one in the navigation of the site; '' without one. */
  parent: string
  /**
   * Distinct absolute http(s) addresses without fragments, in document order, then translations (hreflang) and feeds;
   * without rel=nofollow.
   */
  links: string[]
  /** The links that are feeds. */
  feeds: string[]
  /** Languages of the links that are translations, by address; BCP 47, lower case. */
  languages: Map<string, string>
}

/** A passage of a page, indexed and shown as one. */
export interface Fragment {
  /** Position on the page, from 0. */
  ordinal: number
  text: string
  title: string
  /** Headings above all of the text, outermost first, without the title. */
  headings: string[]
  /** Headings within the text, where they are lines of their own. */
  innerHeadings: string[]
  /** Id of the nearest element at or before the start of the text. */
  anchor: string | null
  /** SHA-256 (hex) of title, headings and text: equal fragments keep their vectors. */
  hash: string
  /** Tokens of the text. */
  tokens: number
  language: string
}

export interface ExtractionRequest {
  /** After redirects; normalized. */
  url: string
  body: Uint8Array
  /** The header as sent. */
  contentType: string
  /** From Content-Language, for a page that declares no language; BCP 47, lower case, or ''. */
  headerLanguage?: string
  /** For a page whose language is neither declared nor detected. */
  fallbackLanguage?: string
  /** Any URL of the site whose links are collected; null to collect none. */
  linkSite: string | null
  /** CSS selectors of the content, and of what to remove from it. */
  selectors?: { include: readonly string[]; exclude: readonly string[] }
  /** Without it, the fragments contain the site's boilerplate. */
  boilerplate?: Boilerplate
}

/** The text that a page shares with others of its source. */
export interface Boilerplate {
  /** Hashes of the content blocks on most pages, and of the contacts on several, which are removed from every page. */
  repeated: ReadonlySet<string>
  /** Hashes of the blocks that this page keeps for the source: repeated ones, those around several pages, and contacts. */
  retained: ReadonlySet<string>
  /** The page nearest to the start, which keeps all blocks around its content. */
  isEntryPage: boolean
}

/** The blocks of a page, compressed, so that it can be chunked again; eight bytes of hash for each comparable block. */
export interface PageBlocks {
  blocks: Uint8Array
  hashes: Uint8Array
}

export interface ExtractedPage {
  document: PageFacts
  /** Empty for a page without text. */
  fragments: Fragment[]
  /** SHA-256 (hex) of the text. */
  textHash: string
  /** Normalized URLs to follow; empty for nofollow. */
  links: string[]
  /** Absolute URLs of the feeds that the page declares. */
  feeds: string[]
  /** Languages that the page declares for some of the links; BCP 47, lower case. */
  languages: Map<string, string>
  /** Links that are not followed, up to `crawlLimits.excludedLinksPerPage`. */
  excludedLinks: { url: string; reason: ReasonCode }[]
  pageBlocks: PageBlocks
}

/** Extracts fragments and links from HTML within 20 s, outside of the event loop. */
export interface Extractor {
  /**
   * Resolves to 'timeout' or 'failed' when the page cannot be read. Rejects when the extractor is closed. Transfers the
   * body: the caller cannot read it afterwards.
   */
  extract(page: ExtractionRequest): Promise<ExtractedPage | 'timeout' | 'failed'>
  /** Chunks a page again, from `PageBlocks.blocks` and with other boilerplate; resolves and rejects likewise. */
  rechunk(blocks: Uint8Array, boilerplate: Boilerplate): Promise<Fragment[] | 'timeout' | 'failed'>
  close(): Promise<void>
}

// ---------------------------------------------------------------------------------------------- language

/** Counts tokens as the embedding model does. Pure and synchronous; loads no model. */
export interface Tokenizer {
  /** Tokens of the text, without the two special ones. */
  count(text: string): number
  /** Tokens of a passage that the model reads, without its prefix and the special ones; absent if unknown. */
  readonly maxPassageTokens?: number
}

export interface Embedder {
  /** Identity of the model (folder name and checksum of all that determines its vectors), stored with every vector. */
  readonly model: string
  readonly dimensions: number
  /** One unit vector per text, in order. Texts over the model's length are truncated. */
  embedPassages(texts: string[], signal?: AbortSignal): Promise<Float32Array[]>
  /** One unit vector; never waits for passages. */
  embedQuery(text: string): Promise<Float32Array>
  close(): Promise<void>
}

// ----------------------------------------------------------------------------------------------- indexes

/** The texts of a fragment that keyword search matches. `key` is the integer key of its row. */
export interface IndexedText {
  key: number
  collectionId: string
  title: string
  /** Headings above the start of the fragment and within it, joined by ' / '. */
  headings: string
  text: string
}

export interface KeyScore {
  key: number
  /** Higher is better. */
  score: number
}

/** What keyword search matched for a query word that is missing or rare in the collection. */
export interface QueryExpansion {
  /** Folded words of the collection, most likely first. */
  words: string[]
  /** Whether they are the parts of a name, compounds that end with it, words that start with it, or corrections. */
  reason: 'parts' | 'compounds' | 'prefix' | 'misspelling'
  /** The endings of the compounds, folded: the word and its inflections. */
  endings?: string[]
  /** Whether words that start with it were matched, too. */
  isPrefix?: boolean
}

export interface KeywordHits {
  /** Best first. */
  hits: KeyScore[]
  /** By folded query word. */
  expansions: ReadonlyMap<string, QueryExpansion>
}

/** Keyword search in one collection. `Tx` is the transaction that writes fragments and their terms together. */
export interface TextIndex<Tx = unknown> {
  add(tx: Tx, fragments: IndexedText[]): Promise<void>
  remove(tx: Tx, keys: number[]): Promise<void>
  /** Best matches by BM25, which is positive; none for a query without words. `among` restricts the search to these keys. */
  search(collectionId: string, query: ParsedQuery, limit: number, among?: ReadonlySet<number>): Promise<KeywordHits>
}

/** Vector search in one collection. */
export interface VectorIndex<Tx = unknown> {
  add(tx: Tx, collectionId: string, vectors: { key: number; vector: Float32Array }[]): Promise<void>
  remove(tx: Tx, collectionId: string, keys: number[]): Promise<void>
  /**
   * Nearest fragments by cosine, which is their score, best first. Never returns deleted fragments. `among` restricts the
   * search to these keys.
   */
  search(collectionId: string, vector: Float32Array, limit: number, among?: ReadonlySet<number>): Promise<KeyScore[]>
  /** The vectors as they were added, of any collection. Omits keys without one. */
  read(keys: number[]): Promise<{ key: number; vector: Float32Array }[]>
  /** Exact cosines of these fragments. Omits those without a vector. */
  cosines(collectionId: string, vector: Float32Array, keys: number[]): Promise<KeyScore[]>
}

// ------------------------------------------------------------------------------------------------ models

export interface ChatTurn {
  role: 'system' | 'user' | 'assistant'
  content: string
}

export interface ChatRequest {
  model: string
  messages: ChatTurn[]
  maxOutputTokens: number
  /** Null sends none, for servers that need no key. */
  apiKey: string | null
}

/** 'length': the output token limit was reached. 'filtered': the provider's filter ended the answer. */
export type StopReason = 'complete' | 'length' | 'filtered'

export type ChatChunk =
  | { kind: 'text'; text: string }
  /** All text so far was reasoning, not part of the answer. */
  | { kind: 'discard' }
  | {
      kind: 'end'
      stopReason: StopReason
      /** Null if the provider does not report them. */
      tokensInput: number | null
      tokensOutput: number | null
      /** The provider's own id of the response; null without one. */
      responseId: string | null
    }

/** 'context-too-long': fewer fragments may fit. 'output-limit': no room for text after the reasoning. */
export type ProviderFailure =
  | 'refused-key'
  | 'unknown-model'
  | 'rate-limited'
  | 'timeout'
  | 'unavailable'
  | 'bad-request'
  | 'context-too-long'
  | 'output-limit'
  | 'declined'
  | 'interrupted'

/** The error of a ChatModel; test for it with `isProviderError` of `server/errors.ts`. `message` is safe to show. */
export interface ProviderError extends Error {
  readonly providerFailure: ProviderFailure
}

/**
 * Streams an answer from a model provider, without the model's reasoning. Returns immediately when `signal` aborts. Throws
 * ProviderError.
 */
export interface ChatModel {
  stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatChunk>
}

/** Recognizes harmful text. Throws if the service cannot be asked. */
export interface Moderator {
  isFlagged(text: string, apiKey: string, signal: AbortSignal): Promise<boolean>
}

// ------------------------------------------------------------------------------------------------ manual

export interface ManualPage {
  name: string
  title: string
  description: string
  html: string
}

/** The product's manual, which the app shows and the crawler reads. */
export interface ManualPages {
  list(): { name: string; title: string }[]
  page(name: string): ManualPage | null
  sitemap(): string
}
