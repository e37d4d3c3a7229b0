import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { AppError } from './errors'

export interface Sealer {
  /** `associated` says where the text belongs, such as `<organization id>:<column>`; it opens only there. */
  seal(text: string, associated: string): string
  /** Throws unavailable where the text was sealed with another key, for another place, or was changed. */
  open(sealed: string, associated: string): string
}

const nonceBytes = 12
const tagBytes = 16

/**
 * AES-256-GCM. What is stored is `<key id>.<base64url of nonce, ciphertext and tag>`: the key id tells with which
 * of several keys a text was sealed once keys are changed. `keys` are 32 bytes each; the first one seals.
 */
export function createSealer(keys: readonly [Buffer, ...Buffer[]]): Sealer {
  const byId = new Map(keys.map((key) => [keyId(key), key]))

  return {
    seal(text, associated) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', keys[0], nonce)
      cipher.setAAD(Buffer.from(associated))
      const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
      return `${keyId(keys[0])}.${Buffer.concat(parts).toString('base64url')}`
    },

    open(sealed, associated) {
      const [id = '', encoded = ''] = sealed.split('.')
      const key = byId.get(id)
      if (!key) throw unreadable(new Error(`No key with the id ${id}`))
      try {
        const bytes = Buffer.from(encoded, 'base64url')
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), {
          authTagLength: tagBytes,
        })
        decipher.setAAD(Buffer.from(associated))
        decipher.setAuthTag(bytes.subarray(-tagBytes))
        return decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
      } catch (error) {
        throw unreadable(error)
      }
    },
  }
}

function keyId(key: Buffer): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8)
}

function unreadable(cause: unknown): AppError {
  return new AppError(
    'unavailable',
    'A stored secret cannot be read with the keys of this data folder. Enter it again.',
    { cause },
  )
}
