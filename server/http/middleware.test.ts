import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import express from 'express'
import { expect, it } from 'vitest'
import { requirePublicHost } from './middleware'

it('responds to another host with the setting to change, and escapes the host', async () => {
  const server = express().use(requirePublicHost('http://lamps.example')).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  try {
    const { port } = server.address() as AddressInfo
    const host = `a"'<b>&.example`
    const body = await new Promise<string>((resolve, reject) => {
      const asked = request({ port, host: '127.0.0.1', path: `/"<i>'`, headers: { host } })
      asked.on('response', (response) => {
        expect(response.statusCode).toBe(421)
        text(response).then(resolve, reject)
      })
      asked.on('error', reject).end()
    })
    expect(body).toContain('<code>PUBLIC_URL=http://a&quot;&apos;&lt;b&gt;&amp;.example</code>')
    expect(body).toContain('href="http://lamps.example/&quot;&lt;i&gt;&apos;">Open http://lamps.example</a>')
  } finally {
    server.closeAllConnections()
    server.close()
  }
}, 10_000)
