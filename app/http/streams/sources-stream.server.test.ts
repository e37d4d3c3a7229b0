import { expect, it, vi } from 'vitest'
import type { Paged } from '../../../contract/paging'
import type { SourceView } from '../../../contract/views/source'
import { AppError } from '../../../server/errors'
import { sourcesStream } from './sources-stream.server'

const none: Paged<SourceView> = { docs: [], total: 0, pages: 0 }
const gone = () => new AppError('not_found', 'This does not exist or you do not have access to it.')

function openWith(...results: (Paged<SourceView> | Error)[]) {
  const error = vi.fn()
  const load = async () => {
    const result = results.shift() ?? none
    if (result instanceof Error) throw result
    return result
  }
  const app = { log: { error } } as unknown as Parameters<typeof sourcesStream>[0]
  return { error, answer: sourcesStream(app, new AbortController().signal, load) }
}

it('responds 404 if the collection is deleted before the stream opens', async () => {
  const { answer, error } = openWith(gone())
  const { status, headers } = await answer
  expect([status, headers.get('Content-Type')]).toEqual([404, 'text/plain; charset=utf-8'])
  expect(await (await answer).text()).toBe('This does not exist or you do not have access to it.\n')
  expect(error).not.toHaveBeenCalled()
})

it('ends without an error when the collection is deleted', async () => {
  const { answer, error } = openWith(none, gone())
  expect(await (await answer).text()).toBe(`event: sources\ndata: ${JSON.stringify(none)}\n\n`)
  expect(error).not.toHaveBeenCalled()
})

it('fails on unexpected errors', async () => {
  await expect(openWith(new Error('The disk is full.')).answer).rejects.toThrow('The disk is full.')
  await expect((await openWith(none, new Error('The disk is full.')).answer).text()).rejects.toThrow(
    'The disk is full.',
  )
})
