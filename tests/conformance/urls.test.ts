import { describe, expect, it } from 'vitest'
import { normalizeAddress } from '../../server/engine/crawl/urls/urls'
import { readSet, setFolder } from './sets'

const commons = setFolder('crawler/crawler-commons')
const rust = setFolder('crawler/rust-url')

const doubled = 'Servers may tell doubled slashes apart: folders of object stores, addresses within addresses.'
const empty = 'Some servers tell a parameter without a value from one with an empty value.'
const notWeb = 'Only http and https addresses of a host are read.'
const noScheme = 'Without a protocol this is a relative link, and there is nothing that it could be relative to.'

/** What this crawler writes otherwise than crawler-commons, and why. */
const normalizerDifferences: Record<string, string> = {
  'http://foo.com//aa/bb/foo.html': doubled,
  'http://foo.com/aa//bb/foo.html': doubled,
  'http://foo.com/aa/bb//foo.html': doubled,
  'http://foo.com//aa//bb//foo.html': doubled,
  'http://foo.com////aa////bb//foo.html': doubled,
  'http://foo.com////aa////bb////foo.html': doubled,
  'http://foo.com/index?a=1&b=': empty,
  'http://foo.com/index?b=&a=1': empty,
  'file:///foo/bar.txt': notWeb,
  'ftp:/': notWeb,
  'http:////': notWeb,
  'http:///////': notWeb,
  'ftp://foo.com/index.html': notWeb,
  'file:/path/index.html': notWeb,
  'file:/var/www/html/////./bar/index.html': notWeb,
  'file:/var/www/html/foo/../bar/index.html': notWeb,
  'foo.com/index.html': noScheme,
}

const ownForm = 'Resolved alike, and then brought to one form.'
const resolveDifferences: Record<string, string> = {
  '?co=0&sk=0&pg=1': `${ownForm} Parameters are sorted.`,
  '/a%2fc': `${ownForm} Escapes are in upper case.`,
  '/a/%2f/c': `${ownForm} Escapes are in upper case.`,
  '#right-menu': `${ownForm} A fragment is no page of its own.`,
  'http://user:pass@foo:21/bar;par?b#c': 'Addresses with credentials are not read.',
  '//server/file': notWeb,
}

describe.skipIf(commons === null)('the addresses of crawler-commons', () => {
  it('are written as there, but for those with a reason', () => {
    const rows = rowsOf(readSet(commons, 'normalizer/weirdToNormalizedUrls.csv').toString())
    const differing = rows.filter(([address = '', expected]) => normalizeAddress(address) !== expected)
    expect(rows).toHaveLength(112)
    expect(differing.map(([address]) => address).sort()).toEqual(Object.keys(normalizerDifferences).sort())
  })

  it('are refused where they are none', () => {
    const rows = rowsOf(readSet(commons, 'normalizer/invalidUrls.csv').toString())
    expect(rows.map(([address = '']) => normalizeAddress(address))).toEqual([null, null])
  })

  it('are resolved as there, but for those with a reason', () => {
    const rows = rowsOf(readSet(commons, 'url-utils/url-resolve.csv').toString())
    const differing = rows.filter(
      ([link = '', base, expected]) => normalizeAddress(link, base || undefined) !== expected,
    )
    expect(rows).toHaveLength(22)
    expect(differing.map(([link]) => link).sort()).toEqual(Object.keys(resolveDifferences).sort())
  })
})

interface UrlCase {
  input: string
  base: string | null
  failure?: boolean
  href: string
  username: string
  password: string
}

const onlyDots = 'No server has a name that is valid only with the dots behind it.'
const platformHosts = 'The URL of the platform refuses this host, whose Punycode says nothing.'
const urlDifferences: Record<string, string> = {
  'http://./': onlyDots,
  'http://../': onlyDots,
  'http://foo.09..': onlyDots,
}
/** In the newer of the two files only. */
const newUrlDifferences: Record<string, string> = {
  'http://a.b.c.xn--pokxncvks': platformHosts,
  'http://a.b.c.XN--pokxncvks': platformHosts,
  'http://a.b.c.Xn--pokxncvks': platformHosts,
  'http://10.0.0.xn--pokxncvks': platformHosts,
  'http://10.0.0.XN--pokxncvks': platformHosts,
  'http://10.0.0.xN--pokxncvks': platformHosts,
  'https://xn--/': platformHosts,
}

describe.each([
  {
    name: 'of the web platform tests',
    folder: commons,
    file: 'url-utils/wpt-urltestdata.json',
    count: 888,
    differences: { ...urlDifferences, ...newUrlDifferences },
  },
  { name: 'of rust-url', folder: rust, file: 'url/tests/urltestdata.json', count: 869, differences: urlDifferences },
])('the addresses $name', ({ folder, file, count, differences }) => {
  it.skipIf(folder === null)('are read as the URL standard says, then brought to one form', () => {
    const all = JSON.parse(readSet(folder, file).toString()) as (UrlCase | string)[]
    const cases = all.filter((entry) => typeof entry !== 'string')
    const differing: string[] = []
    /** Where only the rules of this crawler, which go further than the standard, make another form. */
    let broughtToForm = 0
    for (const { input, base, failure, href, username, password } of cases) {
      const isPage = !failure && /^https?:/.test(href) && username === '' && password === ''
      const expected = isPage ? (href.split('#', 1)[0] ?? '').replace(/\?$/, '') : null
      const address = normalizeAddress(input, base ?? undefined)
      if (address === expected) continue
      if (expected !== null && address !== null && address === normalizeAddress(expected)) broughtToForm++
      else differing.push(input)
    }
    expect(cases).toHaveLength(count)
    expect(differing.sort()).toEqual(Object.keys(differences).sort())
    expect(broughtToForm).toBe(15)
  })
})

describe.skipIf(rust === null)('international names of rust-url', () => {
  it('are written in ASCII as far as the platform knows their signs, and nothing throws', () => {
    const lines = readSet(rust, 'idna/tests/IdnaTestV2.txt').toString().split('\n')
    let valid = 0
    let equal = 0
    for (const line of lines) {
      const fields = (line.split('#', 1)[0] ?? '').split(';').map((field) => unescaped(field.trim()))
      const [source = '', unicode = '', unicodeStatus = '', ascii = '', asciiStatus = ''] = fields
      if (fields.length < 5) continue
      const address = normalizeAddress(`http://${source}/`)
      if ((asciiStatus || unicodeStatus).replace('[]', '') !== '') continue
      valid++
      if (address === `http://${(ascii || unicode || source).replace(/\.+$/, '')}/`) equal++
    }
    expect(valid).toBe(549)
    // The others use signs of newer versions of Unicode than that of the platform's URL.
    expect(equal).toBeGreaterThanOrEqual(480)
  })
})

/** Lines of values with commas between them; those in quotes may have commas and doubled quotes. */
function rowsOf(text: string): string[][] {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))
  return lines.map((line) => {
    const cells = [...line.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/g)].slice(0, 3)
    return cells.map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain.trim())
  })
}

function unescaped(text: string): string {
  return text === '""'
    ? ''
    : text.replace(/\\u([\dA-F]{4})|\\x\{([\dA-F]+)\}/gi, (_whole, short: string | undefined, long: string) =>
        String.fromCodePoint(Number.parseInt(short ?? long, 16)),
      )
}
