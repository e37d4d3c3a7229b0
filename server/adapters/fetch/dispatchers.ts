import { lookup as systemLookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { Agent, type Dispatcher, ProxyAgent } from 'undici'
import { crawlLimits } from '../../engine/limits'
import { createNetworkGuard, isLiteral, type NetworkGuard, type NetworkVerdict, plainHost } from './private-networks'

/** All addresses of a host. */
export type Lookup = (host: string) => Promise<{ address: string; family: number }[]>

export interface Routes {
  /** The dispatcher for a URL's host. Throws HostRefused for a host in a private network. */
  to(url: URL): Promise<Dispatcher>
  close(): Promise<void>
}

/** The guard refuses an address of the host. Connection attempts fail with it, too. */
export class HostRefused extends Error {
  override readonly name = 'HostRefused'
  constructor(
    readonly host: string,
    readonly reason: 'private-address' | 'forbidden-address',
  ) {
    super(reason)
  }
}

/** One connection a host, kept for its next request and closed after a few seconds without one. */
const connections = {
  connections: 1,
  pipelining: 1,
  allowH2: false,
  keepAliveTimeout: 4_000,
  keepAliveMaxTimeout: 4_000,
  maxHeaderSize: crawlLimits.headerBytes,
  headersTimeout: crawlLimits.headersMs,
  bodyTimeout: crawlLimits.headersMs,
}

/** Ways to hosts that are public or allowed, directly or by a proxy. `lookup` defaults to the system's. */
export function createRoutes(options: {
  allowPrivateNetworks: string[] | 'all'
  proxy?: string | undefined
  lookup?: Lookup | undefined
}): Routes {
  const guard = createNetworkGuard(options.allowPrivateNetworks)
  const lookup = options.lookup ?? ((host: string) => systemLookup(host, { all: true }))
  const direct = new Agent({
    ...connections,
    connect: { timeout: crawlLimits.connectMs, lookup: guardedLookup(guard, lookup) },
  })
  const proxied = options.proxy ? new ProxyAgent({ uri: options.proxy, ...connections }) : null

  return {
    async to(url) {
      const host = plainHost(url.hostname)
      if (isLiteral(host)) {
        const verdict = guard.judge(host, host)
        assertNotRefused([verdict], host)
        return verdict === 'public' ? (proxied ?? direct) : direct
      }
      if (!proxied) return direct
      const verdicts = (await lookup(host).catch(() => [])).map(({ address }) => guard.judge(address, host))
      assertNotRefused(verdicts, host)
      return verdicts.includes('allowed') ? direct : proxied
    },
    async close() {
      await Promise.all([direct.destroy(), proxied?.destroy()])
    },
  }
}

function assertNotRefused(verdicts: NetworkVerdict[], host: string): void {
  if (verdicts.includes('forbidden')) throw new HostRefused(host, 'forbidden-address')
  if (verdicts.includes('refused')) throw new HostRefused(host, 'private-address')
}

/**
 * Runs where a socket is about to connect: what it hands over is what is connected to. One answer that is refused
 * refuses the name.
 */
function guardedLookup(guard: NetworkGuard, lookup: Lookup): LookupFunction {
  async function resolve(host: string) {
    const addresses = await lookup(host)
    assertNotRefused(
      addresses.map(({ address }) => guard.judge(address, host)),
      plainHost(host),
    )
    return addresses
  }
  return (host, options, callback) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses
        if (!first) return callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '', 4)
        if (options.all) callback(null, addresses)
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 4),
    )
  }
}
