import { expect, it, vi } from 'vitest'
import { changeModel } from './change-model'

function changeOf(steps: number, areFragmentsWaiting: boolean) {
  let left = steps
  const next = vi.fn(async (_collectionId: string) => --left > 0)
  const vectorBuilding = {
    next,
    hasQueuedChanges: async () => false,
    areFragmentsWaiting: async () => areFragmentsWaiting,
  }
  return { next, run: changeModel({ vectorBuilding }) }
}

it.each([true, false])('does all steps of a change; new fragments wait: %s', async (isWaiting) => {
  const { next, run } = changeOf(3, isWaiting)
  await run({ collectionId: 'lamps' }, new AbortController().signal)
  expect(next.mock.calls.map(([id]) => id)).toEqual(['lamps', 'lamps', 'lamps'])
})

it('ends between two steps when the process stops', async () => {
  const stopping = new AbortController()
  const { next, run } = changeOf(9, true)
  next.mockImplementationOnce(async () => {
    stopping.abort()
    return true
  })
  await expect(run({ collectionId: 'lamps' }, stopping.signal)).rejects.toThrow('abort')
  expect(next).toHaveBeenCalledOnce()
})
