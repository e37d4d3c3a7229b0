import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { decodeHtml } from '../../server/engine/extract/charset'
import { extractPage, parseDocument } from '../../server/engine/extract/page'

/**
 * Pages per second of processor time for reading a folder of HTML files, beside parsing them only:
 * `npx tsx tests/bench/extract.ts /usr/share/doc/python3.11/html`
 */
function main(folder: string | undefined): void {
  const isThere = folder && statSync(folder, { throwIfNoEntry: false })?.isDirectory()
  if (!isThere) {
    console.log(`Skipped: ${folder ? `no folder ${folder}` : 'name a folder of HTML files'}.`)
    return
  }
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.html?$/.test(name))
  const pages = names.map((name) => ({
    url: `http://site.example/${name}`,
    html: decodeHtml(readFileSync(join(folder, name)), 'text/html'),
  }))
  const bytes = pages.reduce((sum, page) => sum + page.html.length, 0)
  let letters = 0
  let blocks = 0
  const parse = seconds(() => {
    for (const page of pages) parseDocument(page.html)
  })
  const extract = seconds(() => {
    for (const page of pages) {
      const document = extractPage(page.html, page.url)
      blocks += document.blocks.length
      letters += document.blocks.reduce((sum, block) => sum + block.text.length, 0)
    }
  })
  console.log(
    `${pages.length} pages, ${(bytes / 1e6).toFixed(1)} M characters; ${blocks} blocks, ${(letters / 1e6).toFixed(1)} M characters of text`,
  )
  console.log(
    `parse only ${(pages.length / parse).toFixed(1)} pages/s, extract ${(pages.length / extract).toFixed(1)} pages/s, ratio ${(extract / parse).toFixed(2)}`,
  )
}

function seconds(work: () => void): number {
  const before = process.cpuUsage()
  work()
  return process.cpuUsage(before).user / 1e6
}

main(process.argv[2])
