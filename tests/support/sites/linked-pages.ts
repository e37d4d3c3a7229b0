import type { SiteAnswer } from './site'

const subjects = ['lantern', 'harbor', 'meadow', 'anvil', 'glacier', 'orchard', 'violin', 'compass', 'kettle', 'ferry']
const verbs = ['carries', 'repairs', 'paints', 'measures', 'forgets', 'polishes', 'borrows', 'weighs']

/**
 * A site of `many` small pages without a sitemap. Each page but the first is linked from one page only, so that a lost
 * link loses its page and all below it; besides, each links back to some that are known already. `versionOf` changes a
 * page when it is requested.
 */
export function linkedPages(
  count: number,
  onRequest: (path: string) => void,
  delayMs: number,
  versionOf: (body: string) => string = (body) => body,
): Record<string, SiteAnswer> {
  const pages: Record<string, SiteAnswer> = {
    '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow:\n' },
  }
  for (let number = 0; number < count; number++) {
    const path = pathOf(number)
    const body = pageBody(number, count)
    pages[path] = () => {
      onRequest(path)
      return { body: versionOf(body), delayMs }
    }
  }
  return pages
}

function pathOf(number: number): string {
  return number === 0 ? '/' : `/pages/${number}`
}

function pageBody(number: number, count: number): string {
  const children = [1, 2, 3].map((child) => number * 3 + child).filter((child) => child < count)
  const known = [0, Math.floor((number - 1) / 3), Math.floor(number / 2)].filter((item) => item >= 0)
  const links = [...children, ...known].map((item) => `<li><a href="${pathOf(item)}">Page ${item}</a></li>`)
  const sections = [0, 1, 2].map((part) => {
    const sentences = Array.from({ length: 14 }, (_, line) => sentence(number * 101 + part * 31 + line * 7, number))
    return `<h2 id="part-${part}">Part ${part} of page ${number}</h2><p>${sentences.join(' ')}</p>`
  })
  return `<!doctype html><html lang="en"><head><title>Page ${number}</title></head>
<body><main><h1>Page ${number}</h1>${sections.join('\n')}</main><nav><ul>${links.join('')}</ul></nav></body></html>`
}

function sentence(seed: number, number: number): string {
  const subject = subjects[seed % subjects.length]
  const verb = verbs[(seed >> 2) % verbs.length]
  const object = subjects[(seed >> 1) % subjects.length]
  return `The ${subject} number ${seed} ${verb} a ${object} on page ${number}.`
}
