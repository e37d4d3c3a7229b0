import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { problemSchema } from '../../../contract/views/problem'
import type { SourceView } from '../../../contract/views/source'
import { runs, sources } from '../../../db/schema/collections'
import { files } from '../../../db/schema/files'
import { jobs } from '../../../db/schema/jobs'
import { organizations } from '../../../db/schema/organizations'
import { type ApiResponse, type ApiWorld, type Caller, startApiWorld } from '../api/api-world'
import { fileSource, multipart, multipartType, type Part } from '../api/multipart'
import { storedFileNames } from './stored-files'

/** /v1 with calls for files, and one collection of the own organization, whose plan is unlimited. */
export interface FileWorld extends ApiWorld {
  /** Path of the collection's sources. */
  base: string
  setPlan(plan: 'free' | 'unlimited', organization: string): Promise<void>
  /** Resets the hashes of stored files, so that the collection accepts duplicates. */
  forgetBytes(): Promise<void>
  post(parts: Part[], caller?: Caller): Promise<ApiResponse>
  put(id: string, parts: Part[]): Promise<ApiResponse>
  upload(name: string, content: string): Promise<SourceView>
  download(id: string, caller?: Caller): Promise<ApiResponse>
  /** Finishes the run of a source. */
  rest(id: string): Promise<void>
  /** Names of the stored files, and of those being received. */
  onDisk(): Promise<string[]>
  incoming(): Promise<string[]>
}

/** Jobs are not run. */
export async function startFileWorld(): Promise<FileWorld> {
  const world = await startApiWorld()
  const { db, config } = world.app
  const base = `/v1/${world.own.organization}/sources/${world.own.collection}`
  const folder = join(config.dataDir, 'files')

  async function setPlan(plan: 'free' | 'unlimited', organization: string) {
    await db.write((tx) => tx.update(organizations).set({ plan }).where(eq(organizations.id, organization)))
  }
  const sendParts = (method: string, path: string, body: BodyInit, caller: Caller = 'member') =>
    world.send(caller, method, base + path, { headers: { 'content-type': multipartType }, body })
  const post = (parts: Part[], caller: Caller = 'member') => sendParts('POST', '', multipart(parts), caller)

  await setPlan('unlimited', world.own.organization)
  return {
    ...world,
    base,
    setPlan,
    async forgetBytes() {
      await db.write((tx) => tx.update(files).set({ sha256: files.id }))
    },
    post,
    put: (id, parts) => sendParts('PUT', `/${id}`, multipart(parts)),
    upload: async (name, content) => sourceIn(await post(fileSource(name, content))),
    download: (id, caller = 'viewer') => world.send(caller, 'GET', `${base}/${id}/file`),
    async rest(id) {
      await db.write(async (tx) => {
        await tx.update(sources).set({ status: 'idle' }).where(eq(sources.id, id))
        await tx.update(runs).set({ finishedAt: new Date() }).where(eq(runs.sourceId, id))
        await tx.delete(jobs).where(eq(jobs.dedupeKey, `crawl-source:${id}`))
      })
    },
    onDisk: () => storedFileNames(folder).catch(() => []),
    incoming: () => readdir(join(folder, 'incoming')).catch(() => []),
  }
}

/** Returns the source in an answer. */
export function sourceIn({ body, text }: ApiResponse): SourceView {
  const { source } = body as { source?: SourceView }
  if (!source) throw new Error(text)
  return source
}

/** Returns the fields that a problem names. */
export function fieldsOf({ body }: ApiResponse): string[] {
  return Object.keys(problemSchema.parse(body).errors ?? {})
}
