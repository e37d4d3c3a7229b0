import { createServer, request, type Server } from 'node:http'

export interface RoundRobin {
  origin: string
  /** Sends requests to these ports, one after the other; those to a port that is not there go to the next one. */
  use(ports: number[]): void
  close(): Promise<void>
}

/** A proxy without stickiness: each request goes to the next app. */
export async function startRoundRobin(port: number): Promise<RoundRobin> {
  let targets: number[] = []
  let next = 0
  const server: Server = createServer((incoming, outgoing) => {
    const body: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => body.push(chunk))
    incoming.on('end', () => send(targets.length))

    function send(triesLeft: number): void {
      const target = targets[next++ % targets.length] ?? 0
      const { method, url: path, headers } = incoming
      const forwarded = request({ host: '127.0.0.1', port: target, method, path, headers }, (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(outgoing)
        response.on('error', () => outgoing.destroy())
      })
      forwarded.on('error', () => {
        if (outgoing.headersSent) outgoing.destroy()
        else if (triesLeft > 1) send(triesLeft - 1)
        else outgoing.writeHead(502).end()
      })
      outgoing.on('close', () => forwarded.destroy())
      forwarded.end(Buffer.concat(body))
    }
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    origin: `http://localhost:${port}`,
    use(ports) {
      targets = ports
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
