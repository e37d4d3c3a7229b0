import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { createDownloads } from './downloads'

let folder: string
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'downloads-')), 'incoming')
})

it('writes chunks to a private file and removes it', async () => {
  const download = await createDownloads(folder).open()
  await download.write(Buffer.from('storm '))
  await download.write(new Uint8Array())
  await download.write(Buffer.from('lamp'))
  expect(await download.end()).toBe(10)
  expect(await readFile(download.path, 'utf8')).toBe('storm lamp')
  expect((await stat(download.path)).mode & 0o777).toBe(0o600)
  await download.remove()
  await download.remove()
  expect(await readdir(folder)).toEqual([])
})

it('can be removed while it is written', async () => {
  const download = await createDownloads(folder).open()
  await download.write(Buffer.from('storm'))
  await download.remove()
  expect(await readdir(folder)).toEqual([])
})

it('reports a failed write at the end', async () => {
  const download = await createDownloads(folder).open()
  await download.end()
  // Its file is closed, so every write fails, as on a full disk.
  await download.write(Buffer.from('storm'))
  await download.write(Buffer.from('lamp'))
  await expect(download.end()).rejects.toThrow()
  await download.remove()
  expect(await readdir(folder)).toEqual([])
})
