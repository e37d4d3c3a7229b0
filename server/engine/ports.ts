import type { ReasonCode } from '../../contract/reasons'
import type { ParsedQuery } from './search/query/parsed-query'

/**
 * What the engine asks of the outside world. Each port is a small documented type; every adapter of a port
 * passes the one contract suite of that port in `tests/contracts/`.
 */

// ---------------------------------------------------------------------------------------------- fetching

/** What kind of thing is expected; it decides the limits of size and time (see `limits.ts`). */
export type FetchKind = 'page' | 'robots' | 'sitemap' | 'document'

export interface FetchRequest {
  url: string
  kind: FetchKind
  /** Sent as If-None-Match and If-Modified-Since. */
  etag?: string
  lastModified?: string
  access?: SiteAccess
  /**
   * Asked before every redirect is followed, with the address it leads to and its status; false refuses it as
   * 'not-allowed'.
   */
  mayVisit?: (url: string, status: number) => Promise<boolean>
  /**
   * Given a body of a good status (2xx) as it arrives, decoded, in pieces of any length; the outcome's is empty then. It
   * never rejects, and the next piece waits for it. What was taken counts only when the outcome is 'fetched'.
   */
  take?: (piece: Uint8Array) => Promise<void>
}

/** What opens a protected site: sent to exactly this origin, on every hop that asks it, and to no other. */
export interface SiteAccess {
  origin: string
  headers: Record<string, string>
}

/** Why an address was not read. The words for a person are in `contract/reasons.ts`. */
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
  /** The address after all redirects. */
  url: string
  status: number
  /** Lower-case names; a repeated header is joined with ', '. */
  headers: Record<string, string>
  /** Decoded (gzip, br, deflate), within the limit of its kind; empty where the request took it piece by piece. */
  body: Uint8Array
  /** Addresses that redirected to `url`, first one first. */
  redirectedFrom: string[]
  /** From the first byte sent to the last byte read, in milliseconds. */
  tookMs: number
}

/** Expected outcomes are values: every answer of a server, and every refusal to ask it. */
export type FetchOutcome =
  | FetchedBody
  | { kind: 'unchanged'; url: string; status: 304; headers: Record<string, string>; tookMs: number }
  | { kind: 'refused'; reason: FetchRefusal /** Safe to show. */; message: string }

/** Reads one address that a person or a page named. Rejects only when `signal` aborts. */
export interface Fetcher {
  fetch(request: FetchRequest, signal?: AbortSignal): Promise<FetchOutcome>
}

/** A place on this machine for the bytes of one document. */
export interface Download {
  path: string
  /** As a request wants it. */
  take(piece: Uint8Array): Promise<void>
  /** Resolves to the number of bytes. Throws where they could not be stored. */
  end(): Promise<number>
  /** Nothing is left of it. */
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
  /** Readable boilerplate, such as footers and asides but not menus, in document order. */
  around: Block[]
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

/** A passage of a page that is found and shown as one. */
export interface Fragment {
  /** Place on the page, from 0. */
  ordinal: number
  text: string
  title: string
  /** Headings over all of the text, outermost first; the title is not repeated. */
  headings: string[]
  /** Headings inside of the text, where they stand as lines of their own. */
  innerHeadings: string[]
  /** Id of the nearest element at or before the start of the text. */
  anchor: string | null
  /** SHA-256 (hex) of title, headings and text: equal fragments keep their vectors. */
  hash: string
  /** Word pieces of the passage text. */
  tokens: number
  language: string
}

export interface PageToRead {
  /** Where it was read from, after redirects; normalized. */
  url: string
  body: Uint8Array
  /** The header as sent. */
  contentType: string
  /** Of its header, for a page that does not say it itself; BCP 47, lower case, '' where that does not either. */
  language?: string
  /** As others say, for a page whose language nobody can tell otherwise. */
  toldLanguage?: string
  /** Any address of the site whose links are wanted; null when none are. */
  followWithin: string | null
  /** CSS selectors of what is the content, and of what is none. */
  selectors?: { include: readonly string[]; exclude: readonly string[] }
  /** What the site repeats; without it the page is cut as it is. */
  share?: SiteShare
}

/** What a page has in common with its site. */
export interface SiteShare {
  /** Hashes of the content blocks that stand on most pages: no page is cut with them. */
  repeated: ReadonlySet<string>
  /** Hashes of what this page keeps for the site: of what is repeated, and of what stands around several pages. */
  kept: ReadonlySet<string>
  /** The page nearest to the start, which keeps all that stands around it. */
  isEntryPage: boolean
}

/** What a page is cut from, compressed, and eight bytes for each block that is compared with those of other pages. */
export interface KeptBlocks {
  blocks: Uint8Array
  hashes: Uint8Array
}

/** All that is kept of a page. */
export interface ExtractedPage {
  document: PageFacts
  /** None when the page has no text. */
  fragments: Fragment[]
  /** SHA-256 (hex) of the text: pages with the same text have the same one. */
  textHash: string
  /** Normalized addresses of the wanted site that may be followed; none where the page says nofollow. */
  links: string[]
  /** Absolute addresses of the feeds that the page names. */
  feeds: string[]
  /** Languages that the page names for some of the links; BCP 47, lower case. */
  languages: Map<string, string>
  /** Links that are not followed, with the reason, up to `crawlLimits.leftPerPage`. */
  left: { address: string; reason: ReasonCode }[]
  kept: KeptBlocks
}

/** Turns the bytes of an HTML page into fragments and links, within 20 s and outside of the event loop. */
export interface Extractor {
  /**
   * Resolves to 'timeout' or 'failed' when the page cannot be read. Rejects when the extractor is closed. The page's body
   * changes hands: who asks cannot read it any more.
   */
  extract(page: PageToRead): Promise<ExtractedPage | 'timeout' | 'failed'>
  /** Cuts a page again from what was kept of it; likewise. */
  cut(blocks: Uint8Array, share: SiteShare): Promise<Fragment[] | 'timeout' | 'failed'>
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
  /** The organization's or agent's key; a server-wide one is already put in here by the service. */
  apiKey: string
}

export type ChatChunk =
  | { kind: 'text'; text: string }
  | {
      kind: 'end'
      tokensInput: number | null
      tokensOutput: number | null /** The provider stopped at the token limit. */
      truncated: boolean
    }

export type ProviderFailure =
  | 'refused-key'
  | 'unknown-model'
  | 'rate-limited'
  | 'timeout'
  | 'unavailable'
  | 'bad-request'
  | 'interrupted'

/** What a ChatModel throws; recognised by `isProviderError` in `server/errors.ts`. `message` is safe to show. */
export interface ProviderError extends Error {
  readonly providerFailure: ProviderFailure
}

/** Streams an answer from a model provider. Ends at once when `signal` aborts. Throws ProviderError. */
export interface ChatModel {
  stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatChunk>
}

// ------------------------------------------------------------------------------------------------ manual

export interface ManualPage {
  name: string
  title: string
  description: string
  html: string
}

/** The product's own manual, as the edge shows it and as the crawler reads it. */
export interface ManualPages {
  list(): { name: string; title: string }[]
  page(name: string): ManualPage | null
  sitemap(): string
}
