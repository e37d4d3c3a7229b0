import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** A passkey in software, as a browser and its authenticator answer (WebAuthn level 3, without attestation). */
export function createSoftPasskey(origin: string, { verifiesPerson = true }: { verifiesPerson?: boolean } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  let counter = 0

  const clientData = (type: string, challenge: string, from = origin) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }))
  const credential = (response: Record<string, string | string[]>) =>
    JSON.stringify({
      id: id.toString('base64url'),
      rawId: id.toString('base64url'),
      type: 'public-key',
      clientExtensionResults: {},
      response,
    })

  return {
    id: id.toString('base64url'),

    create({ challenge }: { challenge: string }): string {
      const key = cbor(
        new Map<number, Value>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, 'base64url')],
          [-3, Buffer.from(y, 'base64url')],
        ]),
      )
      const attested = Buffer.concat([Buffer.alloc(16), uint16(id.length), id, key])
      const authData = Buffer.concat([authenticatorData(0x40), attested])
      const attestationObject = cbor(
        new Map<string, Value>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', authData],
        ]),
      )
      return credential({
        clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal'],
      })
    },

    /** `from` is the origin that the browser reports; `count` is false for a copy that does not count this use. */
    get(
      { challenge }: { challenge: string },
      { from, counts = true }: { from?: string; counts?: boolean } = {},
    ): string {
      if (counts) counter++
      const data = authenticatorData(0)
      const clientDataJSON = clientData('webauthn.get', challenge, from)
      const signed = Buffer.concat([data, createHash('sha256').update(clientDataJSON).digest()])
      return credential({
        clientDataJSON: clientDataJSON.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
      })
    },
  }

  function authenticatorData(flags: number): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const present = flags | 0x01 | (verifiesPerson ? 0x04 : 0)
    return Buffer.concat([
      createHash('sha256').update(new URL(origin).hostname).digest(),
      Buffer.from([present]),
      count,
    ])
  }
}

type Value = number | string | Buffer | Map<number | string, Value>

/** The parts of CBOR that passkeys need. */
function cbor(value: Value): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item)])])
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  return length < 256
    ? Buffer.from([(major << 5) | 24, length])
    : Buffer.concat([Buffer.from([(major << 5) | 25]), uint16(length)])
}

function uint16(value: number): Buffer {
  return Buffer.from([value >> 8, value & 0xff])
}
