import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A network between a browser and a server of this machine, which can be lost. */
export interface Relay {
  origin: string
  /** Where connections lead. */
  port: number
  /** Ends all connections, and each new one, or lets them through again. */
  setLost(isLost: boolean): void
  close(): Promise<void>
}

export async function startRelay(): Promise<Relay> {
  const sockets = new Set<Socket>()
  let isLost = false
  const server = createServer((near) => {
    if (isLost) {
      near.destroy()
      return
    }
    const far = connect(relay.port, '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      from.pipe(to)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const relay: Relay = {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    port: 0,
    setLost(lost) {
      isLost = lost
      if (lost) for (const socket of sockets) socket.destroy()
    },
    async close() {
      relay.setLost(true)
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return relay
}
