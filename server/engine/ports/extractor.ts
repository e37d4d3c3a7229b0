import type { ReasonCode } from '../../../contract/reasons'

interface TextFields {
  text: string
  anchor: string | null
  /** Terms from this level on do not apply to it: their list has ended. */
  outsideTerms?: number
}

export type Block =
  | { kind: 'heading'; level: number; text: string; anchor: string | null }
  /** `standalone`: gets a fragment of its own, as the summary of a sheet does. `mostlyLinks`: most of its text is links. */
  | (TextFields & { kind: 'paragraph' | 'quote' | 'image'; standalone?: boolean; mostlyLinks?: true })
  | (TextFields & { kind: 'table'; standalone?: boolean; anchors?: LineAnchor[]; mostlyLinks?: true })
  /** `language` as the page declares it ('python'). */
  | (TextFields & { kind: 'code'; language?: string })
  /** One line per item, nested items indented by two spaces. */
  | (TextFields & { kind: 'list'; anchors?: LineAnchor[]; mostlyLinks?: true })

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
  /** Whether the robots meta elements say noindex. */
  noindex: boolean
  nofollow: boolean
  /** Time from which the page must not be indexed (unavailable_after), in milliseconds since 1970; null without one. */
  unavailableAfter: number | null
  /** What the page shows instead of content; null for a regular page. */
  interstitial: Interstitial | null
  /** Where a page without a text of its own sends its visitors; null for any other page. */
  forward: PageForward | null
  /** Where the text was found; 'data' is structured data, hydration state, or a feed or llms.txt of the site. */
  textFrom: 'page' | 'noscript' | 'data'
  /** Whether the text is an index of links to other pages, which are read instead. */
  isLinkList: boolean
  /** Time of publication by the page's own metadata, in milliseconds since 1970; null without one. */
  publishedAt: number | null
  modifiedAt: number | null
  /** Names of the authors, separated by commas; '' if the page does not say. */
  author: string
  /** '' if the page does not say. */
  siteName: string
  /** Absolute address of the icon of its site; null if the page names none. */
  icon: string | null
}

export interface PageForward {
  /** Absolute, without fragment. */
  url: string
  /** Only visitors without JavaScript are sent there, by a refresh in a noscript element. */
  isForNoScript: boolean
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
  /** URL after redirects; normalized. */
  url: string
  body: Uint8Array
  /** The header as sent. */
  contentType: string
  /** Language from Content-Language, for a page that declares none; BCP 47, lower case, or ''. */
  headerLanguage?: string
  /** For a page whose language is neither declared nor detected. */
  fallbackLanguage?: string
  /** Any URL of the site whose links are collected; null to collect none. */
  linkSite: string | null
  /** CSS selectors of the content, and of what to remove from it. */
  selectors?: { include: readonly string[]; exclude: readonly string[] }
  /** Boilerplate of the site; without it, the fragments contain it. */
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

/** Extracts fragments and links from HTML within 20 s, outside the event loop. */
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
