import { type AddressInfo, createServer, type Socket } from 'node:net'

export interface ReceivedMail {
  from: string
  recipients: string[]
  /** As it was sent, with its headers. */
  raw: string
  headers: Record<string, string>
  text: string
  html: string
}

export interface SmtpSink {
  /** For SMTP_URL. */
  url: string
  mails: ReceivedMail[]
  /** The commands of all clients, without the mails. */
  commands: string[]
  /** Returns a reply other than the usual one; an empty text for none at all. Tests change it. */
  reply: (command: string) => string | null
  /** The mail to this address; fails without one. */
  mailTo(address: string): ReceivedMail
  /** Ends the connections of all clients. */
  disconnect(): void
  close(): Promise<void>
}

/** An SMTP server on 127.0.0.1 that keeps what it receives (RFC 5321). */
export async function startSmtpSink(): Promise<SmtpSink> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    talk(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const sink: SmtpSink = {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails: [],
    commands: [],
    reply: () => null,
    mailTo(address) {
      const mail = sink.mails.findLast(({ recipients }) => recipients.includes(address))
      if (!mail)
        throw new Error(
          `No mail to ${address}, but to ${sink.mails.flatMap((receivedMail) => receivedMail.recipients)}`,
        )
      return mail
    },
    disconnect() {
      for (const socket of sockets) socket.destroy()
    },
    async close() {
      sink.disconnect()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return sink

  function talk(socket: Socket): void {
    let rest = ''
    let data: string[] | null = null
    let from = ''
    let recipients: string[] = []
    const say = (line: string) => socket.write(`${line}\r\n`)
    say('220 sink ESMTP')
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) read(line)
    })

    function read(line: string): void {
      if (data === null) {
        obey(line)
        return
      }
      if (line !== '.') {
        data.push(line.replace(/^\./, ''))
        return
      }
      sink.mails.push(received(from, recipients, data.join('\r\n')))
      data = null
      recipients = []
      say('250 kept')
    }

    function obey(command: string): void {
      sink.commands.push(command)
      const refusal = sink.reply(command)
      if (refusal === null) say(replyTo(command))
      else if (refusal !== '') say(refusal)
    }

    function replyTo(command: string): string {
      const address = /<(.*)>/.exec(command)?.[1] ?? ''
      switch (command.slice(0, 4).toUpperCase()) {
        case 'EHLO':
          return '250-sink\r\n250-AUTH PLAIN\r\n250 SMTPUTF8'
        case 'AUTH':
          return '235 welcome'
        case 'MAIL':
          from = address
          return '250 ok'
        case 'RCPT':
          recipients.push(address)
          return '250 ok'
        case 'DATA':
          data = []
          return '354 go on'
        case 'QUIT':
          return '221 bye'
        default:
          return '250 ok'
      }
    }
  }
}

/** Reads the headers and the two alternatives of an e-mail. */
function received(from: string, recipients: string[], raw: string): ReceivedMail {
  const { headers, body } = partOf(raw)
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1]
  const parts = boundary ? body.split(`--${boundary}`).slice(1, -1).map(partOf) : [{ headers, body }]
  const contentOf = (type: string) => {
    const part = parts.find((item) => item.headers['content-type']?.startsWith(type))
    return part ? decoded(part.body, part.headers['content-transfer-encoding'] ?? '') : ''
  }
  const text = contentOf('text/plain').replaceAll('\r\n', '\n')
  return { from, recipients, raw, headers, text, html: contentOf('text/html') }
}

function partOf(text: string): { headers: Record<string, string>; body: string } {
  const trimmed = text.replace(/^\r\n/, '')
  const end = trimmed.indexOf('\r\n\r\n')
  const lines = trimmed
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const pairs = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    words(line.replace(/^[^:]*:\s*/, '')),
  ])
  return { headers: Object.fromEntries(pairs), body: trimmed.slice(end + 4).replace(/\r\n$/, '') }
}

/** Decodes encoded words (RFC 2047). */
function words(value: string): string {
  const joined = value.replaceAll(/\?=\s+=\?/g, '?==?')
  return joined.replaceAll(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_all, how: string, text: string) =>
    how.toUpperCase() === 'B' ? Buffer.from(text, 'base64').toString() : unquoted(text.replaceAll('_', ' ')),
  )
}

function decoded(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  return encoding === 'quoted-printable' ? unquoted(body.replaceAll('=\r\n', '')) : body
}

function unquoted(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString()
}
