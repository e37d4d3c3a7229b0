import { expect, it, vi } from 'vitest'
import type { Paged } from '../../../contract/values/paging'
import type { SourceView } from '../../../contract/views/source'
import { AppError } from '../../../server/errors'
import { sourcesStream } from './sources-stream.server'

const none: Paged<SourceView> = { docs: [], total: 0, pages: 0 }
const gone = () => new AppError('not_found', 'This does not exist or you do not have access to it.')

function openWith(...results: (Paged<SourceView> | Error)[]) {
  const report = vi.fn()
  const load = async () => {
    const result = results.shift() ?? none
    if (result instanceof Error) throw result
    return result
  }
  return { report, response: sourcesStream({ signal: new AbortController().signal, report }, load(), load) }
}

it('responds 404 if the collection is deleted before the stream opens', async () => {
  const { response, report } = openWith(gone())
  const { status, headers } = await response
  expect([status, headers.get('Content-Type')]).toEqual([404, 'text/plain; charset=utf-8'])
  expect(await (await response).text()).toBe('This does not exist or you do not have access to it.\n')
  expect(report).not.toHaveBeenCalled()
})

it('ends without an error when the collection is deleted', async () => {
  const { response, report } = openWith(none, gone())
  expect(await (await response).text()).toBe(`event: sources\ndata: ${JSON.stringify(none)}\n\n`)
  expect(report).not.toHaveBeenCalled()
})

it('fails on unexpected errors', async () => {
  await expect(openWith(new Error('The disk is full.')).response).rejects.toThrow('The disk is full.')
  await expect((await openWith(none, new Error('The disk is full.')).response).text()).rejects.toThrow(
    'The disk is full.',
  )
})
