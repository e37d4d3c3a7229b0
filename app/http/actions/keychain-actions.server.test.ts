import { expect, it } from 'vitest'
import { AppError } from '../../../server/errors'
import type { DashboardCall } from '../session/dashboard.server'
import { handleKeychainAction } from './keychain-actions.server'

/** A call whose keychains fail with `failure`, or record what they save. */
function startCall(failure?: Error) {
  const saved: unknown[] = []
  const save = async (...[, , input]: unknown[]) => {
    if (failure) throw failure
    saved.push(input)
  }
  const keychains = { save, get: async () => ({ allowed_origins: 'https://shop.example' }) }
  const context = { services: { keychains }, settings: { publicUrl: 'http://localhost' }, report: () => {} }
  const call = { services: context.services, actor: {}, organizationId: 'o', context } as unknown as DashboardCall
  return { call, saved }
}

function formOf(values: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(values)) form.set(name, value)
  return form
}

const regenerate = { intent: 'regenerate-keys', keys: 'both', confirm: 'on' }

it.each([
  [new Error('The disk is full.'), 500, 'Please try again later. Contact support if issue persists'],
  [
    new AppError('not_found', 'This agent does not exist.'),
    400,
    'This agent does not exist. Contact support if issue persists',
  ],
])('says that the keys were not regenerated: %s', async (failure, status, message) => {
  const response = await handleKeychainAction(startCall(failure).call, formOf(regenerate), 'a')
  expect(response).toMatchObject({
    data: { notifications: [{ type: 'danger', title: 'Failed to regenerate API keys.', message }] },
    init: { status },
  })
})

it('regenerates nothing without the confirmation', async () => {
  const { call, saved } = startCall()
  const response = await handleKeychainAction(call, formOf({ intent: 'regenerate-keys', keys: 'both' }), 'a')
  expect(response).toMatchObject({
    data: { result: { error: { confirm: ['Check the box to regenerate'] } }, notifications: [] },
    init: { status: 400 },
  })
  expect(saved).toEqual([])
})

it.each([
  [{}, '/dashboard/agent/a/api'],
  [{ page: 'widget' }, '/dashboard/agent/a/widget'],
  [{ page: 'https://evil.example' }, '/dashboard/agent/a/api'],
])('allows an origin, and returns to the page of the form: %j', async (fields, location) => {
  const { call, saved } = startCall()
  const form = formOf({ intent: 'allow-origin', origin: 'https://blog.example', ...fields })
  const response = await handleKeychainAction(call, form, 'a')
  expect(response instanceof Response && response.headers.get('location')).toBe(location)
  expect(saved).toEqual([{ regenerate: false, allowedOrigins: 'https://shop.example, https://blog.example' }])
})
