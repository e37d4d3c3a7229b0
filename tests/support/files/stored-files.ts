import { readdir } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import type { App } from '../../../server/app'
import { incomingFolderName, ownerFileName } from '../../../server/engine/ports/file-store'

/** The bytes of a source's stored file. */
export async function bytesOfSource({ services }: Pick<App, 'services'>, sourceId: string): Promise<Buffer> {
  const file = await services.files.find(sourceId)
  if (!file) throw new Error(`The source ${sourceId} has no file.`)
  return buffer(await services.files.read(file))
}

/** Whether the store has the bytes of a file. */
export async function hasBytes({ services }: Pick<App, 'services'>, id: string): Promise<boolean> {
  const local = await services.files.openLocal({ id }).catch(() => null)
  await local?.release()
  return local !== null
}

/** The names of the complete files in a folder of uploads, in order. */
export async function storedFileNames(folder: string): Promise<string[]> {
  const names = await readdir(folder)
  return names.filter((name) => name !== incomingFolderName && name !== ownerFileName).sort()
}
