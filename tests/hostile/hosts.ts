import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { seededRandom } from '../support/seeded-random'
import { startRawServer } from '../support/sites/raw-server'
import { type Behaviour, type Respond, send } from './behaviour'

export interface Host {
  name: string
  origin: string
}

export interface Hosts {
  list: Host[]
  /** Number of requests by host; number of connections for the witness. */
  counts(): { requests: Record<string, number>; witness: number }
  close(): Promise<void>
}

/** Starts a host for each behaviour on 127.0.0.1, and the forbidden witness on 127.0.0.2. */
export async function startHosts(behaviours: Behaviour[], seed: number): Promise<Hosts> {
  const witness = await startRawServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nsecret'), {
    host: '127.0.0.2',
  })
  const requests: Record<string, number> = {}
  const servers: Server[] = []
  const list: Host[] = []
  for (const behaviour of behaviours) {
    requests[behaviour.name] = 0
    const context = {
      witness: `http://127.0.0.2:${witness.port}`,
      random: seededRandom(seed, behaviour.name),
      origin: '',
    }
    const requestCounts = new Map<string, number>()
    const server = createServer({ keepAliveTimeout: 5_000 }, (request, response) => {
      requests[behaviour.name] = (requests[behaviour.name] ?? 0) + 1
      const path = request.url ?? '/'
      const before = requestCounts.get(path) ?? 0
      requestCounts.set(path, before + 1)
      respondOf(behaviour, path)(exchangeOf(request, response, { ...context, previousRequests: before }))
    })
    server.on('connection', (socket) => socket.on('error', () => undefined))
    server.on('clientError', (_error, socket) => socket.destroy())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    server.unref()
    context.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    servers.push(server)
    list.push({ name: behaviour.name, origin: context.origin })
  }
  return {
    list,
    counts: () => ({ requests: { ...requests }, witness: witness.connections() }),
    async close() {
      await Promise.all([witness.close(), ...servers.map(stop)])
    },
  }
}

const noRobots: Respond = (exchange) => send(exchange, { status: 404 })

function respondOf({ robots = noRobots, respond }: Behaviour, path: string): Respond {
  return path === '/robots.txt' ? robots : respond
}

function exchangeOf(
  request: IncomingMessage,
  response: ServerResponse,
  context: { witness: string; random: () => number; origin: string; previousRequests: number },
) {
  const { socket } = request
  return { path: request.url ?? '/', headers: request.headers, response, socket, ...context }
}

function stop(server: Server): Promise<unknown> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(resolve))
}
