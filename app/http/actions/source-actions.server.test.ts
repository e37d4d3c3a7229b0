import { describe, expect, it } from 'vitest'
import type { Actor } from '../../../server/actor'
import { AppError } from '../../../server/errors'
import type { DashboardCall } from '../session/dashboard.server'
import { handleSourceAction, refreshNotification } from './source-actions.server'

const refusal = new AppError('conflict', 'Wait until it is done.', { details: { title: 'Failed to refresh source' } })

/** A call whose services only record their arguments. */
function startCall(refresh: () => Promise<{ crawlLimit: boolean }> = async () => ({ crawlLimit: false })) {
  const calls: unknown[][] = []
  const record =
    (name: string) =>
    async (_actor: unknown, ...rest: unknown[]) => {
      calls.push([name, ...rest])
    }
  const services = {
    sources: { create: record('create'), edit: record('edit'), remove: record('remove') },
    runControl: { pause: record('pause'), resume: record('resume'), cancel: record('cancel'), refresh },
  }
  const context = { services, settings: { publicUrl: 'http://localhost' }, report: () => {} }
  const url = new URL('http://localhost/dashboard/collection/c?status=idle&dialog=edit-source&id=s')
  const call = { services, actor: {}, organizationId: 'o', url, context } as unknown as DashboardCall
  return { call, calls }
}

function formOf(values: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(values)) form.set(name, value)
  return form
}

async function flashedBy(response: unknown): Promise<string> {
  const cookie = response instanceof Response ? (response.headers.get('Set-Cookie') ?? '') : ''
  return Buffer.from(decodeURIComponent(/^notifications=([^;]*)/.exec(cookie)?.[1] ?? ''), 'base64').toString()
}

describe('handleSourceAction', () => {
  it('parses options with one pattern and one header per line', async () => {
    const { call, calls } = startCall()
    const form = formOf({
      intent: 'add-source',
      type: 'domain',
      url: 'example.com',
      name: '',
      include: '/docs/**\r\n/blog/**\r\n',
      exclude: '',
      max_pages: '40',
      max_depth: '',
      refresh_interval: 'daily',
      crawl_delay_ms: '500',
      headers: 'X-Token: a:b',
      username: '',
      password: '',
    })
    const response = await handleSourceAction(call, form, 'c')
    expect(response).toMatchObject({ status: 303 })
    expect(calls).toMatchObject([
      [
        'create',
        { organizationId: 'o', collectionId: 'c' },
        {
          url: 'https://example.com',
          include: ['/docs/**', '/blog/**'],
          exclude: [],
          max_pages: 40,
          max_depth: null,
          refresh_interval: 'daily',
          crawl_delay_ms: 500,
          headers: { 'X-Token': 'a:b' },
        },
      ],
    ])
  })

  it('returns the input with its errors, but not the password', async () => {
    const { call } = startCall()
    const form = formOf({
      intent: 'add-source',
      type: 'url',
      url: 'lamps',
      include: '/docs/**',
      username: 'ada',
      password: 'open sesame',
    })
    const response = await handleSourceAction(call, form, 'c')
    expect(response).toMatchObject({
      init: { status: 400 },
      data: { result: { initialValue: { url: 'lamps', include: '/docs/**', username: 'ada' } } },
    })
    expect(JSON.stringify(response)).toContain('Invalid url provided, you need to input a full address.')
    expect(JSON.stringify(response)).not.toContain('open sesame')
  })

  it('keeps stored headers unless they are removed', async () => {
    const { call, calls } = startCall()
    const form = formOf({ intent: 'edit-source', id: 's', name: 'Site', headers: '', username: '', password: '' })
    await handleSourceAction(call, form, 'c')
    form.set('clear_headers', 'on')
    await handleSourceAction(call, form, 'c')
    expect(calls[0]?.[2]).not.toHaveProperty('clear_headers')
    expect(calls[0]?.[2]).toMatchObject({ name: 'Site', headers: undefined })
    expect(calls[1]?.[2]).toMatchObject({ clear_headers: true })
  })

  it.each(['pause', 'resume', 'cancel'])('can %s and returns to the same view', async (act) => {
    const { call, calls } = startCall()
    const response = await handleSourceAction(call, formOf({ intent: `${act}-source`, id: 's' }), 'c')
    expect(calls).toEqual([[act, { organizationId: 'o', collectionId: 'c', sourceId: 's' }]])
    expect(response instanceof Response && response.headers.get('Location')).toBe('/dashboard/collection/c?status=idle')
  })

  it("uses the contract's texts for a refresh that was not started", async () => {
    const form = formOf({ intent: 'refresh-source', id: 's' })
    const refused = await handleSourceAction(startCall(() => Promise.reject(refusal)).call, form, 'c')
    expect(await flashedBy(refused)).toContain('Failed to refresh source')
    const used = await handleSourceAction(startCall(async () => ({ crawlLimit: true })).call, form, 'c')
    expect(await flashedBy(used)).toContain('Crawl limit reached')
    expect(await flashedBy(used)).toContain('You can no longer crawl any more urls.')
    expect(await flashedBy(used)).not.toContain('sitelore plans')
    const { call } = startCall(async () => ({ crawlLimit: true }))
    const staff: Actor = { kind: 'person', staff: true, userId: 'u', memberships: [] }
    const told = await handleSourceAction({ ...call, actor: staff }, form, 'c')
    expect(await flashedBy(told)).toContain('sitelore plans assign <plan> --organization o')
    const broken = await handleSourceAction(startCall(() => Promise.reject(new Error('disk'))).call, form, 'c')
    expect(await flashedBy(broken)).toContain('Failed to process source')
  })
})

describe('refreshNotification', () => {
  it("has the contract's texts", () => {
    expect(refreshNotification({ code: 'still_working', message: '' }).title).toBe(
      'Your source is taking a long time to process',
    )
    expect(refreshNotification({ code: 'conflict', message: 'Wait.' })).toMatchObject({
      type: 'warning',
      title: 'Failed to refresh source',
      message: 'Wait.',
    })
    expect(refreshNotification({ code: 'quota_exceeded', message: '' })).toMatchObject({
      type: 'warning',
      title: 'Crawl limit reached',
      message: 'You can no longer crawl any more urls.',
    })
    expect(refreshNotification({ code: 'unavailable', message: '' }).title).toBe('Failed to process source')
  })
})
