import { expect, it } from 'vitest'
import { z } from 'zod'
import { AppError } from '../../../server/errors'
import { submitForm } from './form.server'

const schema = z.object({ name: z.string() })

async function refusedWith(error: Error) {
  const form = new FormData()
  form.set('name', 'Lamps')
  const context = { report: () => {} }
  const { data, init } = await submitForm(context, form, schema, 'Failed to create agent', async () => {
    throw error
  })
  return { status: init?.status, error: data.result.error, notifications: data.notifications }
}

it('shows a reached limit in the form only', async () => {
  const message = 'Your plan allows 3 agents; ask the operator for a larger plan.'
  expect(await refusedWith(new AppError('quota_exceeded', message))).toEqual({
    status: 400,
    error: { '': [message] },
    notifications: [],
  })
})

it('shows other rejections as a notification, too', async () => {
  const message = 'This collection is being deleted.'
  expect(await refusedWith(new AppError('conflict', message))).toMatchObject({
    status: 400,
    error: { '': [message] },
    notifications: [
      { type: 'danger', title: 'Failed to create agent', message: `${message} Contact support if issue persists` },
    ],
  })
})
