import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startRawServer } from '../support/raw-server'
import { seededRandom } from '../support/seeded-random'
import { type Answer, type Behaviour, send } from './behaviour'

export interface Host {
  name: string
  origin: string
}

export interface Hosts {
  list: Host[]
  /** Of every host, how many requests it had; of the witness, how many connections. */
  counts(): { requests: Record<string, number>; witness: number }
  close(): Promise<void>
}

/** Starts a host for each behaviour, on ports of 127.0.0.1, and the witness that nobody may reach, on 127.0.0.2. */
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
    const times = new Map<string, number>()
    const server = createServer({ keepAliveTimeout: 5_000 }, (request, response) => {
      requests[behaviour.name] = (requests[behaviour.name] ?? 0) + 1
      const path = request.url ?? '/'
      const before = times.get(path) ?? 0
      times.set(path, before + 1)
      answerOf(behaviour, path)(askOf(request, response, { ...context, times: before }))
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

const noRobots: Answer = (ask) => send(ask, { status: 404 })

function answerOf({ robots = noRobots, answer }: Behaviour, path: string): Answer {
  return path === '/robots.txt' ? robots : answer
}

function askOf(
  request: IncomingMessage,
  response: ServerResponse,
  context: { witness: string; random: () => number; origin: string; times: number },
) {
  const { socket } = request
  return { path: request.url ?? '/', headers: request.headers, response, socket, ...context }
}

function stop(server: Server): Promise<unknown> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(resolve))
}
