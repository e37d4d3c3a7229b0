import { lookup as systemLookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { Agent, type Dispatcher, Pool, ProxyAgent } from 'undici'
import { crawlLimits } from '../../engine/limits'
import { createNetworkGuard, isLiteral, type NetworkGuard, type NetworkVerdict, plainHost } from './private-networks'

interface ResolvedAddress {
  address: string
  family: number
}

/** All addresses of a host. */
export type Lookup = (host: string) => Promise<ResolvedAddress[]>

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

export interface ProxySettings {
  url: string
  /**
   * Sends host names to the proxy, which must refuse private networks itself; for machines that cannot resolve names.
   * Otherwise the proxy gets the address that was checked here.
   */
  resolvesNames: boolean
}

/** One connection per host, which is kept alive for a few seconds. */
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

/** Routes to public or allowed hosts, direct or through a proxy. `lookup` defaults to the system's. */
export function createRoutes({
  allowPrivateNetworks,
  proxy,
  lookup = (host) => systemLookup(host, { all: true }),
}: {
  allowPrivateNetworks: string[] | 'all'
  proxy?: ProxySettings | undefined
  lookup?: Lookup | undefined
}): Routes {
  const guard = createNetworkGuard(allowPrivateNetworks)
  const resolve = createResolver(guard, lookup)
  const direct = new Agent({
    ...connections,
    connect: { timeout: crawlLimits.connectMs, lookup: asLookupFunction(resolve) },
  })
  const proxied = proxy ? createProxyAgent(proxy, resolve) : null

  return {
    async to(url) {
      const host = plainHost(url.hostname)
      if (isLiteral(host)) {
        const verdict = guard.judge(host, host)
        assertNotRefused([verdict], host)
        return verdict === 'public' ? (proxied ?? direct) : direct
      }
      if (!proxied) return direct
      const addresses = await resolve(host).catch((error: unknown) => {
        if (proxy?.resolvesNames && !(error instanceof HostRefused)) return []
        throw error
      })
      const isAllowed = addresses.some(({ address }) => guard.judge(address, host) === 'allowed')
      return isAllowed ? direct : proxied
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

type Resolve = (host: string) => Promise<[ResolvedAddress, ...ResolvedAddress[]]>

/** Resolves a host. Rejects with HostRefused if one of its addresses is refused, and as the system does if it has none. */
function createResolver(guard: NetworkGuard, lookup: Lookup): Resolve {
  return async (host) => {
    const addresses = await lookup(host)
    const verdicts = addresses.map(({ address }) => guard.judge(address, host))
    assertNotRefused(verdicts, plainHost(host))
    const [first, ...others] = addresses
    if (!first) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' })
    return [first, ...others]
  }
}

/** Called when a socket connects, so that the addresses checked are the ones connected to. */
function asLookupFunction(resolve: Resolve): LookupFunction {
  return (host, options, callback) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses
        if (options.all) callback(null, addresses)
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 4),
    )
  }
}

/** All requests use a CONNECT tunnel, also for http, because its target can be an address while the request has the name. */
function createProxyAgent({ url, resolvesNames }: ProxySettings, resolve: Resolve): ProxyAgent {
  if (resolvesNames) return new ProxyAgent({ uri: url, ...connections })
  return new ProxyAgent({ uri: url, ...connections, clientFactory: createTunnels })

  /** Connections to the proxy. The target of each tunnel is checked when it is opened. */
  function createTunnels(origin: URL, options: object): Dispatcher {
    const pool = new Pool(origin, options)
    const connect: (options: TunnelOptions) => Promise<Dispatcher.ConnectData> = pool.connect.bind(pool)
    return Object.assign(pool, {
      connect: async (options: TunnelOptions) => {
        const target = await checkedTarget(options.path, resolve)
        return connect({ ...options, path: target, headers: { ...options.headers, host: target } })
      },
    })
  }
}

type TunnelOptions = Omit<Dispatcher.ConnectOptions, 'headers'> & { headers: Record<string, string> }

/** `host:port` with an address in place of the name. Prefers IPv4, because many proxies cannot reach IPv6 networks. */
async function checkedTarget(target: string, resolve: Resolve): Promise<string> {
  const { hostname, port } = new URL(`tunnel://${target}`)
  const host = plainHost(hostname)
  if (isLiteral(host)) return target
  const addresses = await resolve(host)
  const { address, family } = addresses.find((resolvedAddress) => resolvedAddress.family === 4) ?? addresses[0]
  return `${family === 6 ? `[${address}]` : address}:${port}`
}
