import { createServer } from 'node:net'
import type { Config } from '../../server/config/config'
import { askReadiness, type RunningServer } from '../../server/local-server'
import { type Check, ok, problem, warning } from './check'

/** Checks that the port is free or has this product's server, and reports how that server searches. */
export async function checkPort(
  { host, port }: Pick<Config, 'host' | 'port'>,
  server: RunningServer | null,
): Promise<Check> {
  if (server) return checkServer(server)
  const code = await tryPort(host, port)
  if (code === null) return ok('Port', `${port} on ${host} is free; no server is running.`)
  if (code === 'EADDRINUSE')
    return problem('Port', `${port} on ${host} is used by another program.`, 'Stop that program, or set another PORT.')
  if (code === 'EACCES')
    return problem('Port', `${port} cannot be opened by this user.`, 'Set PORT to a number above 1023.')
  return problem(
    'Port',
    `This machine has no address ${host} (${code}).`,
    'Set HOST to 127.0.0.1, or to 0.0.0.0 for all.',
  )
}

function checkServer({ address, version, embedding }: RunningServer): Check {
  const server = `Sitelore ${version} runs at ${address}`
  if (embedding.kind !== 'unavailable') return ok('Port', `${server}.`)
  return warning(
    'Port',
    `${server}, but with keyword search only: ${embedding.reason}`,
    'See onnxruntime below, then restart the server.',
  )
}

/** The error code of opening the port; null if it opens. */
function tryPort(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen(port, host, () => server.close(() => resolve(null)))
  })
}

/** Sign-in works only at PUBLIC_URL, so it must be the address that people use. */
export async function checkPublicUrl(
  { publicUrl, host, port, trustedProxies }: Config,
  serverRuns: boolean,
): Promise<Check> {
  const name = 'PUBLIC_URL'
  const url = new URL(publicUrl)
  const local = isLoopback(url.hostname)
  const portNamed = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  if (local && portNamed !== port) {
    return warning(
      name,
      `${publicUrl} names port ${portNamed}, the server listens on ${port}.`,
      'Remove PUBLIC_URL, or set both to the same port, unless there is a proxy in between.',
    )
  }
  if (local && !isLoopback(host)) {
    return warning(
      name,
      `The server listens on ${host}, but PUBLIC_URL is ${publicUrl}: nobody can sign in from other machines.`,
      'Set PUBLIC_URL to the address that people open.',
    )
  }
  if (!local && url.protocol === 'http:') {
    return warning(
      name,
      `${publicUrl} is not encrypted: passwords can be intercepted.`,
      'Put a proxy with TLS in front and set PUBLIC_URL to its https address.',
    )
  }
  if (!serverRuns) return ok(name, `${publicUrl} (not checked: no server is running)`)
  try {
    await askReadiness(publicUrl)
  } catch (error) {
    return warning(
      name,
      `${publicUrl} does not lead to this server from here: ${reasonOf(error)}`,
      'Check the name, the proxy and the firewall; sign-in rejects any other address.',
    )
  }
  if (url.protocol === 'https:' && trustedProxies.length === 0) {
    return warning(
      name,
      `${publicUrl} is served by a proxy that TRUSTED_PROXIES does not name: all visitors look like one.`,
      'Set TRUSTED_PROXIES to the address of the proxy.',
    )
  }
  return ok(name, `${publicUrl} leads to this server.`)
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host === '::1' || /^127\./.test(host)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
