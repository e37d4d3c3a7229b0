import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { FragmentView } from '../../../contract/views/chat/fragment'
import type { SourceView } from '../../../contract/views/source'
import { createTestApp } from '../../support/app'
import { createTestCli, type TestCli } from '../../support/cli'
import { uploadFile } from '../../support/files/file-sources'
import { storedFileNames } from '../../support/files/stored-files'
import { sharedExtractor } from '../../support/shared-extractor'

let cli: TestCli
let folder: string
beforeAll(async () => {
  cli = await createTestCli()
  folder = dirname(cli.dataDir)
  await mkdir(join(folder, 'manuals'))
  await writeFile(join(folder, 'prices.csv'), 'lamp,price\nStorm 40,12\n')
  await writeFile(join(folder, 'manuals', 'storm-40.txt'), 'The Storm 40 burns for nine hours.\n')
  await writeFile(join(folder, 'picture.png'), 'no text')
  await writeFile(join(folder, 'empty.txt'), '')
})

const sourcesOf = async () => (await cli.run(['sources', '--json'])).json().sources as SourceView[]

describe('index of files', () => {
  it('creates one source per file, in a collection of their own', async () => {
    const { code, out, err } = await cli.run(['index', 'prices.csv', 'manuals/storm-40.txt'])
    expect(code, err).toBe(0)
    expect(out).toContain('prices.csv in collection Files')
    expect(out).toContain('storm-40.txt in collection Files')
    expect(err).toContain('Reading the file')
    expect(err).not.toContain('Crawling pages')
    const sources = await sourcesOf()
    expect(sources.map(({ type, name, file }) => [type, name, file?.type, file?.bytes])).toEqual([
      ['file', 'storm-40.txt', 'txt', 35],
      ['file', 'prices.csv', 'csv', 23],
    ])
    expect(await storedFileNames(join(cli.dataDir, 'files'))).toHaveLength(2)
  })

  it('replaces the file of the same name, and prints one JSON document', async () => {
    await writeFile(join(folder, 'prices.csv'), 'lamp,price\nStorm 40,14\nMeadow,9\n')
    const before = (await sourcesOf()).find(({ name }) => name === 'prices.csv')
    const { code, json, err } = await cli.run(['index', './prices.csv', '--json'])
    expect(code, err).toBe(0)
    expect(json()).toMatchObject({ kind: 'full', source_id: before?.id, source_status: 'idle' })
    const sources = await sourcesOf()
    expect(sources).toHaveLength(2)
    expect(sources.find(({ id }) => id === before?.id)?.file?.bytes).toBe(32)
    expect(await storedFileNames(join(cli.dataDir, 'files'))).toHaveLength(2)
  })

  it('rejects a file that another source already has', async () => {
    await writeFile(join(folder, 'copy.csv'), 'lamp,price\nStorm 40,14\nMeadow,9\n')
    const before = await sourcesOf()
    const { code, err } = await cli.run(['index', 'copy.csv'])
    expect([code, err]).toEqual([1, 'copy.csv: This collection already has this file, as "prices.csv".\n'])
    expect(await sourcesOf()).toEqual(before)
    expect(await readdir(join(cli.dataDir, 'files', 'incoming'))).toEqual([])
    expect(await storedFileNames(join(cli.dataDir, 'files'))).toHaveLength(2)
  })

  it('finds a passage with its location in the file', async () => {
    const found = await cli.run(['search', 'Meadow', 'price'])
    expect(found.out, found.err).toMatch(/prices\.csv, row \d/)
    expect(found.out).not.toContain('#row')
    const fragments = (await cli.run(['search', 'Meadow', 'price', '--json'])).json().fragments as FragmentView[]
    expect(fragments[0]).toMatchObject({ url: 'prices.csv', headings: expect.any(Array) })
    expect(fragments[0]?.link).toMatch(/^prices\.csv#row=\d$/)
  })

  it('prints several as a list', async () => {
    const { json } = await cli.run(['index', 'prices.csv', 'manuals/storm-40.txt', '--json', '--collection', 'More'])
    expect(json()).toMatchObject({ runs: [{ kind: 'full' }, { kind: 'full' }] })
    expect((await sourcesOf()).length).toBe(4)
  })

  it('loads the embedding model once, however many files it reads', async () => {
    const otherCli = await createTestCli()
    let loaded = 0
    const embedder = async () => {
      loaded++
      return null
    }
    const paths = ['first.txt', 'second.txt', 'third.txt']
    for (const path of paths) await writeFile(join(dirname(otherCli.dataDir), path), `The ${path} lamp.\n`)
    const { code, err } = await otherCli.run(['index', ...paths], {
      overrides: { embedder, extractor: sharedExtractor() },
    })
    expect(code, err).toBe(0)
    expect(loaded).toBe(1)
  })

  it.each([
    [['missing.csv'], 'There is no file missing.csv.'],
    [['./nothing/here.txt'], 'There is no file ./nothing/here.txt.'],
    [['./manuals'], './manuals is not a file. Name the files in it.'],
    [
      ['./picture.png'],
      './picture.png: This file type is not supported. Use .txt, .pdf, .doc, .docx, .xls, .xlsx, .csv, .md, .html or .pptx.',
    ],
    [
      ['prices.csv', 'https://example.com'],
      'Index one address at a time, or only files: https://example.com is not a file.',
    ],
    [['https://example.com', 'https://example.org'], 'Index one address at a time'],
    [['prices.csv', '--include', '/docs/**'], '--include applies to addresses, not to files.'],
    [['prices.csv', '--max-pages', '7'], '--max-pages applies to addresses'],
    [['prices.csv', '--preview'], '--preview applies to addresses'],
    [['prices.csv', '--type', 'url'], '--type applies to addresses'],
  ])('%j exits with 2 and the reason', async (argv, words) => {
    const { code, out, err } = await cli.run(['index', ...argv])
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(words)
  })

  it('exits with 1 for a rejected file, and stores nothing', async () => {
    const before = await sourcesOf()
    const { code, err } = await cli.run(['index', 'empty.txt'])
    expect([code, err]).toEqual([1, 'empty.txt: The file is empty.\n'])
    expect(await sourcesOf()).toEqual(before)
    expect(await readdir(join(cli.dataDir, 'files', 'incoming'))).toEqual([])
  })

  it('treats a path as an address only if no such file exists', async () => {
    const { code, err } = await cli.run(['index', 'manuals.invalid/storm-40.txt'])
    expect(code).toBe(1)
    expect(err).toContain('https://manuals.invalid/storm-40.txt could not be read')
  })

  it('replaces the file of the source with this name after its file was replaced elsewhere', async () => {
    await writeFile(join(folder, 'hooks.csv'), 'hook,price\nBrass,3\n')
    const { source_id: id } = (await cli.run(['index', 'hooks.csv', '--collection', 'Hooks', '--json'])).json()
    const { collection_id: collectionId = '', organization_id: orgId = '' } =
      (await sourcesOf()).find((source) => source.id === id) ?? {}
    const server = await createTestApp({ DATA_DIR: cli.dataDir })
    await uploadFile(server.app, { orgId, collectionId }, 'hooks-of-may.csv', 'hook,price\nBrass,4\n', String(id))
    await server.runner.idle()
    await server.close()
    const hooks = async () =>
      (await sourcesOf())
        .filter((source) => source.collection_id === collectionId)
        .map(({ id, name, file_name, file }) => [id, name, file_name, file?.bytes])
    expect(await hooks()).toEqual([[id, 'hooks.csv', 'hooks-of-may.csv', 19]])

    await writeFile(join(folder, 'hooks.csv'), 'hook,price\nBrass,15\n')
    const again = await cli.run(['index', 'hooks.csv', '--collection', 'Hooks', '--json'])
    expect(again.code, again.err).toBe(0)
    expect(await hooks()).toEqual([[id, 'hooks.csv', 'hooks.csv', 20]])
  })
})
