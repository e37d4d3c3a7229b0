import { type ReasonCode, reasonText } from '../../../../contract/reasons'
import type { addresses } from '../../../../db/schema/addresses'
import type { FetchedDocument, FetchedPage } from '../../../engine/crawl/fetch/page-outcome'
import type { FileFacts, FileNote } from '../../../engine/documents/ports'
import type { extractorVersion } from '../../../engine/ingest/extractor-version'
import { detectLanguage } from '../../../engine/language/detect-language'
import type { ExtractedPage } from '../../../engine/ports/extractor'

type AddressColumns = Partial<typeof addresses.$inferInsert>

/** The text of a page or a document, without its fragments. */
export interface ReadText extends Pick<ExtractedPage, 'textHash' | 'links' | 'excludedLinks' | 'languages'> {
  kind: 'read'
  from: keyof typeof extractorVersion
  /** Language as the page declares it; of a document, as its text tells. */
  language: string
  /** Detects the language of the text; '' if it is uncertain. */
  textLanguage(): string
  httpStatus: number | null
  /** Size of the body. */
  bytes: number
  /** What is to be said about the text, such as what is missing of it. */
  note: { reason: ReasonCode; message: string } | null
  /** What its address gets to know. */
  columns: AddressColumns
}

const maxContentTypeLength = 200
const maxAuthorLength = 300

export function textOfPage({ document, ...page }: FetchedPage): ReadText {
  const { fragments, httpStatus, contentType, bytes, etag, lastModified } = page
  const { language, title, description, publishedAt, modifiedAt, author } = document
  return {
    ...{ kind: 'read', from: 'page', textHash: page.textHash, language, httpStatus, bytes },
    ...{ links: page.links, excludedLinks: page.excludedLinks, languages: page.languages },
    textLanguage: () => detectLanguage(fragments.map(({ text }) => text)),
    note: document.textFrom === 'data' ? { reason: 'read-from-data', message: reasonText('read-from-data') } : null,
    columns: {
      ...{ httpStatus, contentType: contentType.slice(0, maxContentTypeLength), bytes, etag, lastModified },
      ...{ language, metaTitle: title, metaDescription: description },
      unavailableAfter: toDate(page.unavailableAfter),
      publishedAt: toDate(publishedAt),
      modifiedAt: toDate(modifiedAt),
      author: author.slice(0, maxAuthorLength) || null,
    },
  }
}

/** What is known of a document before it is read. */
export interface DocumentSource
  extends Pick<FetchedDocument, 'name' | 'contentType' | 'bytes' | 'etag' | 'lastModified' | 'unavailableAfter'> {
  httpStatus: number | null
  /** Identity of an uploaded file, whose name its address gets; null for a document of a site. */
  file: { identity: string } | null
}

/** What a document says about itself. */
export interface DocumentFacts {
  facts: FileFacts | null
  note: FileNote | null
  textHash: string
}

export function textOfDocument(source: DocumentSource, { facts, note, textHash }: DocumentFacts): ReadText {
  const { name, httpStatus, contentType, bytes, etag, lastModified, file } = source
  const language = facts?.language ?? ''
  return {
    ...{ kind: 'read', from: 'document', textHash, language, httpStatus, bytes },
    ...{ links: [], excludedLinks: [], languages: new Map() },
    textLanguage: () => language,
    note: note && { reason: note.reason, message: reasonText(note.reason, { pages: note.pages }) },
    columns: {
      ...{ httpStatus, contentType: contentType.slice(0, maxContentTypeLength), bytes, etag, lastModified },
      ...{ language, metaTitle: facts?.title || name, metaDescription: '' },
      ...(file ? { url: name, discoveredFrom: name, fileIdentity: file.identity } : {}),
      unavailableAfter: toDate(source.unavailableAfter),
      publishedAt: toDate(facts?.publishedAt),
      modifiedAt: toDate(facts?.modifiedAt),
    },
  }
}

/** Null also for a time outside the range of dates. */
function toDate(time: number | null | undefined): Date | null {
  const date = new Date(time ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? null : date
}
