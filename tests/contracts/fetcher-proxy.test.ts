import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Lookup } from '../../server/adapters/fetch/dispatchers'
import type { SafeFetchOptions } from '../../server/adapters/fetch/safe-fetch'
import type { FetchOutcome } from '../../server/engine/ports/fetcher'
import { createFetching } from '../support/sites/fetching'

const { server, fetcher, close } = createFetching()
afterEach(close)

/** What the proxy was asked for, and what went through its tunnels. */
let connects: string[]
let requests: string[]
let proxy: string
beforeEach(async () => {
  connects = []
  requests = []
  const { url } = await server((socket, piece) => {
    if (piece.startsWith('CONNECT ')) {
      connects.push(piece)
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
    } else {
      requests.push(piece)
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 5\r\n\r\nlamps')
    }
  })
  proxy = url
})

const publicAddress = { address: '93.184.216.34', family: 4 }
const addresses: Record<string, { address: string; family: number }[]> = {
  'lamps.example': [publicAddress],
  'both.example': [{ address: '2606:2800:21f::1', family: 6 }, publicAddress],
  'six.example': [{ address: '2606:2800:21f::1', family: 6 }],
  'intranet.example': [{ address: '10.0.0.7', family: 4 }],
  'mixed.example': [publicAddress, { address: '10.0.0.7', family: 4 }],
  'metadata.example': [{ address: '169.254.169.254', family: 4 }],
}
const lookup: Lookup = async (host) => {
  const found = addresses[host]
  if (!found) throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' })
  return found
}

function fetchPage(url: string, options: Partial<SafeFetchOptions> = {}): Promise<FetchOutcome> {
  const created = fetcher({ proxy: { url: proxy, resolvesNames: false }, lookup, ...options })
  return created.fetch({ url, kind: 'page' })
}

const targets = () => connects.map((connect) => /^CONNECT (\S+) HTTP\/1.1\r\n/.exec(connect)?.[1])

describe('a proxy', () => {
  it.each([
    ['http://lamps.example/care', '93.184.216.34:80'],
    ['http://lamps.example:8080/care', '93.184.216.34:8080'],
    ['http://both.example/care', '93.184.216.34:80'],
    ['http://six.example/care', '[2606:2800:21f::1]:80'],
    ['http://93.184.216.34/care', '93.184.216.34:80'],
    ['http://[2606:2800:21f::1]/care', '[2606:2800:21f::1]:80'],
  ])('gets for %s the address that was checked', async (url, target) => {
    expect(await fetchPage(url)).toMatchObject({ kind: 'fetched', status: 200 })
    expect(targets()).toEqual([target])
    expect(connects[0]?.toLowerCase()).toContain(`\r\nhost: ${target}\r\n`)
    const { host } = new URL(url)
    expect(requests[0]?.toLowerCase()).toContain(`\r\nhost: ${host}\r\n`)
  })

  it.each([
    ['http://nowhere.example/', 'unresolved'],
    ['http://intranet.example/', 'private-address'],
    ['http://mixed.example/', 'private-address'],
    ['http://metadata.example/', 'forbidden-address'],
    ['http://10.0.0.7/', 'private-address'],
  ])('is not asked for %s', async (url, reason) => {
    expect(await fetchPage(url)).toMatchObject({ kind: 'refused', reason })
    expect(connects).toEqual([])
  })

  it('is not asked for a name whose resolver changes its mind after the check', async () => {
    let lookups = 0
    const flipping: Lookup = async () => [lookups++ === 0 ? publicAddress : { address: '10.0.0.7', family: 4 }]
    expect(await fetchPage('http://flip.example/', { lookup: flipping })).toMatchObject({ reason: 'private-address' })
    expect(lookups).toBe(2)
    expect(connects).toEqual([])
  })
})

describe('a proxy that resolves names', () => {
  const ask = (url: string) => fetchPage(url, { proxy: { url: proxy, resolvesNames: true } })

  it.each(['lamps.example', 'nowhere.example'])('gets the name %s', async (host) => {
    expect(await ask(`http://${host}/`)).toMatchObject({ kind: 'fetched' })
    expect(targets()).toEqual([`${host}:80`])
  })

  it.each([
    ['http://intranet.example/', 'private-address'],
    ['http://10.0.0.7/', 'private-address'],
    ['http://169.254.169.254/', 'forbidden-address'],
  ])('is not asked for %s, which is known here to be private', async (url, reason) => {
    expect(await ask(url)).toMatchObject({ kind: 'refused', reason })
    expect(connects).toEqual([])
  })
})
