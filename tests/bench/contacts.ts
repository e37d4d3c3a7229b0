import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { decodeHTML } from 'entities/decode'
import { decodeHtml } from '../../server/engine/charset/decode-html'
import { extractPage } from '../../server/engine/html/extract-page'
import type { PageDocument } from '../../server/engine/ports/extractor'
import { readExpectedSet, readPiecesSet } from '../eval/extraction/page-sets'

const address = /[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/gi
/** Digits at the end of a number that identify it, whether written with a country code or without. */
const comparedDigits = 7
const minDigits = 3

/** Where a contact was found: in the page's text, among the contacts of its site or other text around it, or nowhere. */
type Finding = 'page' | 'site' | 'around' | 'lost'

interface Contact {
  page: string
  /** An e-mail address in lower case, or the digits of a telephone number. */
  contact: string
  finding: Finding
}

/** Prints how many contacts on the pages of the sets below `root` are found. */
export function printContacts(root: string): void {
  const contacts = contactsIn(root)
  const pages = new Set(contacts.map(({ page }) => page)).size
  const count = (finding: Finding) => contacts.filter((contact) => contact.finding === finding).length
  const lost = count('lost')
  console.log(
    `${contacts.length} telephone and e-mail contacts on ${pages} pages: ${count('page')} in the text, ${count('site')} of the site, ${count('around')} around it, ${lost} lost (${((lost / Math.max(1, contacts.length)) * 100).toFixed(1)} %, limit 5 %)`,
  )
}

/** Returns all contacts on the pages of trafilatura-eval and readability-pages, as far as these are below `root`. */
function contactsIn(root: string): Contact[] {
  const folders = ['trafilatura-eval', 'readability-pages'].map((name) => join(root, name))
  const [pieces = '', expected = ''] = folders
  for (const folder of folders) if (!existsSync(folder)) console.log(`Skipped: no folder ${folder}.`)
  const pages = [...(readPiecesSet(pieces) ?? []), ...(readExpectedSet(expected) ?? [])]
  return pages.flatMap((page) => {
    const html = decodeHtml(page.read(), 'text/html')
    const contacts = contactsOf(html)
    if (contacts.size === 0) return []
    const document = extractPage(html, 'url' in page ? page.url : 'http://site.example/page')
    return [...contacts].map((contact) => ({ page: page.name, contact, finding: findingOf(contact, document) }))
  })
}

/** Returns the targets of tel: and mailto: links, and the e-mail addresses in the text, each once. */
function contactsOf(html: string): Set<string> {
  const source = html.replace(/<!--[\s\S]*?-->|<(script|style|noscript|template)\b[\s\S]*?<\/\1\s*>/gi, ' ')
  const contacts = new Set<string>()
  for (const [, quoted = '', bare = ''] of source.matchAll(/<a\s[^>]*?href\s*=\s*(?:["']([^"'>]*)|([^\s"'>]+))/gi)) {
    const href = unescaped(decodeHTML(quoted || bare)).trim()
    const digits = /^tel:/i.test(href) ? href.replace(/\D/g, '') : ''
    if (digits.length >= minDigits) contacts.add(digits)
    if (/^mailto:/i.test(href)) addAddresses(href.slice('mailto:'.length).split('?')[0] ?? '')
  }
  addAddresses(decodeHTML(source.replace(/<[^>]*>/g, ' ')))
  return contacts

  function addAddresses(text: string): void {
    for (const [found] of text.matchAll(address)) contacts.add(found.toLowerCase())
  }
}

function findingOf(contact: string, { blocks, contacts, around }: PageDocument): Finding {
  const isIn = ({ text }: { text: string }) =>
    contact.includes('@')
      ? text.toLowerCase().includes(contact)
      : text.replace(/\D/g, '').includes(contact.slice(-comparedDigits))
  if (blocks.some(isIn)) return 'page'
  return contacts.some(isIn) ? 'site' : around.some(isIn) ? 'around' : 'lost'
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
