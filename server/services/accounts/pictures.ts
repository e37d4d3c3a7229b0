import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import PQueue from 'p-queue'
import type { Logger } from 'pino'
import { maxPictureBytes } from '../../../contract/values/limits'
import { parseUrl } from '../../../contract/values/url'
import type { Database } from '../../../db/database'
import { pictures, users } from '../../../db/schema/users'
import type { Actor } from '../../actor'
import type { Fetcher } from '../../engine/ports/fetcher'
import { AppError } from '../../errors'
import { notFound } from '../../policy'
import type { Picture } from '../pictures/picture'
import { pictureType } from '../pictures/picture-type'

interface Deps {
  db: Database
  fetcher: Fetcher
  log: Logger
}

/** Fetches that run at once, and that may wait. A further sign-in keeps its former picture. */
const fetches = { concurrency: 2, maxWaiting: 100 }

/** Pictures of people: their provider's, unless they upload or remove one. */
export function createPictures({ db, fetcher, log }: Deps) {
  const queue = new PQueue({ concurrency: fetches.concurrency })
  const end = new AbortController()

  return {
    /** Returns the picture of the actor, or of anybody for platform administrators. Throws not_found. */
    async get(actor: Actor, userId: string): Promise<Picture> {
      if (actor.kind !== 'person' || (actor.userId !== userId && !actor.staff)) throw notFound()
      const [row] = await db.read.select().from(pictures).where(eq(pictures.userId, userId))
      if (!row?.content || !row.mediaType) throw notFound()
      return { mediaType: row.mediaType, content: new Uint8Array(row.content) }
    },

    /** Replaces the actor's picture. Throws too_large, and invalid_input for other types than PNG, JPEG and WebP. */
    async save(actor: Actor, content: Uint8Array): Promise<void> {
      await store(requirePerson(actor), 'person', checked(content))
    },

    /** Removes the actor's picture. Later sign-ins do not bring it back. */
    async remove(actor: Actor): Promise<void> {
      await store(requirePerson(actor), 'person', null)
    },

    /** Fetches the picture that a provider named at a sign-in, in the background. Failures keep the former picture. */
    fetchLater(userId: string, url: string | null): void {
      if (url === null || !isHttps(url) || queue.size >= fetches.maxWaiting) return
      queue
        .add(() => fetchNow(userId, url))
        .catch((error: unknown) => {
          if (!end.signal.aborted) log.warn({ err: error }, 'The picture of a person could not be stored.')
        })
    },

    /** Resolves when no fetch is running or waiting. */
    settled: () => queue.onIdle(),

    /** Cancels all fetches. */
    async close(): Promise<void> {
      end.abort()
      await queue.onIdle()
    },
  }

  async function fetchNow(userId: string, url: string): Promise<void> {
    end.signal.throwIfAborted()
    const [known] = await db.read.select().from(pictures).where(eq(pictures.userId, userId))
    if (known?.origin === 'person') return
    const mayFollow = async (target: string) => isHttps(target)
    const outcome = await fetcher.fetch({ url, kind: 'picture', mayFollow }, end.signal)
    const isRead = outcome.kind === 'fetched' && outcome.status >= 200 && outcome.status < 300
    if (!isRead || pictureType(outcome.body) === null || outcome.body.length > maxPictureBytes) {
      const reason = outcome.kind === 'refused' ? outcome.reason : outcome.status
      log.info(
        { reason },
        'The picture from the sign-in provider was rejected: it is unreadable, too large or of another type.',
      )
      return
    }
    await store(userId, 'provider', checked(outcome.body))
  }

  async function store(userId: string, origin: 'provider' | 'person', picture: Picture | null): Promise<void> {
    const row = { origin, mediaType: picture?.mediaType ?? null, content: picture?.content ?? null }
    const pictureVersion = picture && versionOf(picture.content)
    await db.writeAlone(userId, async (tx) => {
      const [known] = await tx.select({ origin: pictures.origin }).from(pictures).where(eq(pictures.userId, userId))
      // The person may have chosen a picture during the fetch.
      if (origin === 'provider' && known?.origin === 'person') return
      await tx
        .insert(pictures)
        .values({ userId, ...row })
        .onConflictDoUpdate({ target: pictures.userId, set: row })
      await tx.update(users).set({ pictureVersion }).where(eq(users.id, userId))
    })
  }
}

function requirePerson(actor: Actor): string {
  if (actor.kind !== 'person') throw notFound()
  return actor.userId
}

function checked(content: Uint8Array): Picture {
  if (content.length > maxPictureBytes)
    throw new AppError('too_large', `A picture can have at most ${maxPictureBytes / 1024} KB.`)
  const mediaType = pictureType(content)
  if (mediaType === null) throw new AppError('invalid_input', 'Choose a PNG, JPEG or WebP picture.')
  return { mediaType, content: new Uint8Array(content) }
}

function isHttps(url: string): boolean {
  return parseUrl(url)?.protocol === 'https:'
}

/** Changes with the content, so that a browser may cache the address forever. */
function versionOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 16)
}
