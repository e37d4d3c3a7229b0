import { afterAll, beforeAll, expect, it } from 'vitest'
import { maxLogoBytes } from '../../../contract/values/limits'
import { system } from '../../../server/actor'
import { jpegPicture, pngPicture, svgPicture, webpPicture } from '../../support/files/pictures'
import { startWebSite, type WebSite } from '../../support/web/web-site'

let web: WebSite
let ref: { organizationId: string; agentId: string }

beforeAll(async () => {
  web = await startWebSite({ 'logo/:agentId': await import('../../../app/routes/_public+/logo.$agentId') })
  const { organizations, agents } = web.app.services
  const organizationId = (await organizations.create(system, { name: 'Lamps', entity_name: '' })).id
  const agent = { name: 'Helper', description: '', useDefaults: false }
  ref = { organizationId, agentId: (await agents.create(system, organizationId, agent)).id }
})
afterAll(() => web?.close())

const save = (content: string | Buffer) => web.app.services.logos.save(system, ref, Buffer.from(content))
const logoPath = async () => (await web.app.services.agents.ofKey(system, ref, null)).logo
const plainSvg = '<?xml version="1.0"?>\n<!-- Lamp --><svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9"/></svg>'

it.each([
  ['PNG', pngPicture, 'image/png'],
  ['JPEG', jpegPicture, 'image/jpeg'],
  ['WebP', webpPicture, 'image/webp'],
  ['SVG', plainSvg, 'image/svg+xml'],
])('is served to everybody as %s, and runs nothing', async (_type, content, mediaType) => {
  await save(content)
  const path = await logoPath()
  expect(path).toMatch(/^\/logo\/[\w-]+\?v=[\w-]{12}$/)
  const { status, headers } = await fetch(web.origin + path)
  expect([status, headers.get('content-type')]).toEqual([200, mediaType])
  expect(headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'unsafe-inline'; sandbox")
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
})

it.each([
  ['an SVG with a script', svgPicture, 'invalid_input'],
  ['an SVG with a handler', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"></svg>', 'invalid_input'],
  ['an SVG with a page', '<svg><foreignObject><p>Text</p></foreignObject></svg>', 'invalid_input'],
  ['a page', '<!doctype html><svg></svg>', 'invalid_input'],
  ['nothing', '', 'invalid_input'],
  ['a large picture', Buffer.concat([pngPicture, Buffer.alloc(maxLogoBytes)]), 'too_large'],
])('is never %s', async (_what, content, code) => {
  await save(pngPicture)
  const before = await logoPath()
  await expect(save(content)).rejects.toMatchObject({ code })
  expect(await logoPath()).toBe(before)
})

it('has another address after each change, and none once it is removed', async () => {
  await save(pngPicture)
  const first = await logoPath()
  await save(jpegPicture)
  expect(await logoPath()).not.toBe(first)
  await web.app.services.logos.remove(system, ref)
  expect(await logoPath()).toBeNull()
  expect((await fetch(`${web.origin}/logo/${ref.agentId}`)).status).toBe(404)
})
