import type { PDFDocumentProxy } from 'pdfjs-dist/types/src/display/api'
import type { FileFacts } from '../ports'
import { cleanLine } from './normalize-text'

/** Reads the metadata of a PDF; missing or damaged values are empty. */
export async function pdfFacts(document: PDFDocumentProxy): Promise<FileFacts> {
  const { info, metadata } = await document.getMetadata().catch(() => ({ info: {}, metadata: null }))
  const properties = info as Record<string, unknown>
  const titles = [metadata?.get('dc:title'), properties.Title]
  return {
    title: titles.map((title) => titleOf(title)).find((title) => title !== '') ?? '',
    language: languageOf(properties.Language),
    publishedAt: timeOf(properties.CreationDate) ?? timeOf(metadata?.get('xmp:createdate')),
    modifiedAt: timeOf(properties.ModDate) ?? timeOf(metadata?.get('xmp:modifydate')),
  }
}

/** Titles set by programs: file names, and names of programs. */
const generatedTitle =
  /^(?:untitled|unbenannt|sans titre|no ?title|title|document|new document|slide|presentation|powerpoint|microsoft|print|scan)[\s_.-]*\d*$|^(?:microsoft (?:office )?\w+|print|untitled) - |\.(?:docx?|xlsx?|pptx?|pdf|odt|rtf|txt|tex|dvi|e?ps|indd|qxd|fm|p65|html?|png|jpe?g|tiff?|cdr|ai|wpd|pages)$|^[a-z]:\\|^\/|^(?:file|https?|about|data|chrome):/i

function titleOf(value: unknown): string {
  if (typeof value !== 'string') return ''
  const title = cleanLine(value.slice(0, 1000))
  const isName = generatedTitle.test(title) || (/\p{L}/u.test(title) && /^\S*(?:[_\d]\S*|\.[a-z]{2,8})$/i.test(title))
  return isName || !/\p{L}{2}/u.test(title) ? '' : title.slice(0, 300)
}

function languageOf(value: unknown): string {
  const tag = typeof value === 'string' ? value.trim().replaceAll('_', '-').toLowerCase() : ''
  if (!/^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,3}$/.test(tag)) return ''
  return tag
}

const pdfTime = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:Z|([+-])(\d\d)'?(\d\d)?)?/

/** Parses a date of PDF or XMP into milliseconds since 1970; null for an invalid one. */
function timeOf(value: unknown): number | null {
  if (typeof value !== 'string') return null
  const [
    ,
    year,
    month = '01',
    day = '01',
    hour = '00',
    minute = '00',
    second = '00',
    sign,
    hours = '00',
    minutes = '00',
  ] = pdfTime.exec(value.trim()) ?? []
  const isPdf = year !== undefined && !/^\d{4}-/.test(value.trim())
  const zone = sign ? `${sign}${hours}:${minutes}` : 'Z'
  const time = Date.parse(isPdf ? `${year}-${month}-${day}T${hour}:${minute}:${second}${zone}` : value.trim())
  return Number.isFinite(time) && time > 0 ? time : null
}
