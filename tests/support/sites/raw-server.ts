import { type AddressInfo, createServer, type Socket } from 'node:net'

export interface RawServer {
  port: number
  /** Connections so far, and those that are open now. */
  connections(): number
  openNow(): number
  close(): Promise<void>
}

/**
 * A server without a protocol on a free port: `answer` does with each connection what it likes, told of every piece
 * that comes in. It ends with all of its connections.
 */
export async function startRawServer(
  answer: (socket: Socket, piece: string, number: number) => void,
  { host = '127.0.0.1', port = 0 }: { host?: string; port?: number } = {},
): Promise<RawServer> {
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((socket) => {
    let pieces = 0
    connections++
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (piece) => answer(socket, piece.toString('latin1'), pieces++))
  })
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  server.unref()
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    openNow: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
