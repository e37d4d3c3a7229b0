import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { escapeUTF8 } from 'entities/escape'
import { Marked } from 'marked'
import type { ManualPage, ManualPages } from '../../engine/ports/manual-pages'
import { lazy } from '../lazy'
import { createManualSearch } from './search-manual'

/**
 * Reads `docs/manual/*.md` at the first use. The first line is the title, the first paragraph the description; the number
 * before a file name gives the order and is not part of the URL. The pages are part of the product, so their HTML is
 * trusted.
 */
export function readManual(folder: string, publicUrl: string): ManualPages {
  const pages = lazy(() => readPages(folder, publicUrl))
  const search = lazy(() => createManualSearch([...pages().values()]))
  return {
    list: () => [...pages().values()].map(({ name, title }) => ({ name, title })),
    page: (name) => pages().get(name) ?? null,
    search: (query) => search()(query),
    sitemap: () => {
      const entries = [...pages().keys()].map((name) => `<url><loc>${publicUrl}/help/${name}</loc></url>`)
      return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>\n`
    },
  }
}

function readPages(folder: string, publicUrl: string): Map<string, ManualPage> {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.md')) : []
  return new Map(
    files.sort().map((file) => {
      // The manual has the default address; readers get the address of this server.
      const text = readFileSync(join(folder, file), 'utf8').replaceAll('http://localhost:3000', publicUrl)
      return [nameOf(file), pageOf(file, text)]
    }),
  )
}

/** The crawler's response for a path under /help, without a socket; null if there is no such page. */
export function readManualPath(pages: ManualPages, path: string): { contentType: string; body: string } | null {
  if (path === '/help/sitemap.xml') return { contentType: 'application/xml; charset=utf-8', body: pages.sitemap() }
  const page = pages.page(path.replace(/^\/help\//, ''))
  return page ? { contentType: 'text/html; charset=utf-8', body: documentOf(page) } : null
}

function nameOf(file: string): string {
  return file.replace(/^\d+-/, '').replace(/\.md$/, '')
}

function pageOf(file: string, markdown: string): ManualPage {
  const [first = '', ...rest] = markdown.split('\n')
  const title = first.replace(/^#\s*/, '').trim()
  const [description = ''] = rest
    .join('\n')
    .split(/\n\s*\n/)
    .map((part) => part.replaceAll(/[\n`*]/g, ' ').trim())
    .filter(Boolean)
  return { name: nameOf(file), title, description, ...htmlOf(markdown) }
}

function htmlOf(markdown: string): Pick<ManualPage, 'html' | 'sections'> {
  const slugs = new Map<string, number>()
  const sections: ManualPage['sections'] = []
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const id = slugOf(text, slugs)
        if (depth === 2) sections.push({ id, title: text.replaceAll('`', '') })
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      // Rows that begin with a code are link targets by that code.
      tablerow({ text }) {
        const code = /^<td[^>]*><code>([a-z0-9-]+)<\/code><\/td>/.exec(text)?.[1]
        return code ? `<tr id="${slugOf(code, slugs)}">\n${text}</tr>\n` : `<tr>\n${text}</tr>\n`
      },
    },
  })
  const html = marked.parse(markdown, { async: false })
  return { html, sections }
}

function slugOf(text: string, used: Map<string, number>): string {
  const slug = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replaceAll(/\s+/g, '-')
  const count = used.get(slug) ?? 0
  used.set(slug, count + 1)
  return count === 0 ? slug : `${slug}-${count}`
}

function documentOf({ title, description, html }: ManualPage): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeUTF8(title)}</title><meta name="description" content="${escapeUTF8(description)}"></head><body><main>${html}</main></body></html>`
}
