import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { organizations } from '../../../db/schema/organizations'
import { system } from '../../../server/actor'
import { createBrowser } from '../../support/browser/browser'
import { issueToken } from '../../support/people/access-token'
import { createPerson } from '../../support/people/people'
import { apiRoutes } from '../../support/web/api-routes'
import { signInRoutes } from '../../support/web/sign-in-routes'
import { startWebSite, type WebSite } from '../../support/web/web-site'

let site: WebSite
let headers: Record<string, string>
let path: string
beforeEach(async () => {
  site = await startWebSite(apiRoutes)
  const { id } = await site.app.services.organizations.create(system, { name: 'Fennel', entity_name: '' })
  await site.app.db.write((tx) => tx.update(organizations).set({ plan: 'unlimited' }))
  const { email } = await createPerson(site.app, { [id]: 'admin' })
  const token = await issueToken(site.app, email)
  headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  path = `${site.origin}/v1/${id}/collections`
})
afterEach(() => site.close())

/** How large the database may become, in pages: a full disk, for the database alone. */
const limitPages = ({ app }: WebSite, pages: number) =>
  app.db.write((tx) => tx.execute(sql.raw(`pragma max_page_count = ${pages}`)))
/** Uses the free pages that migrations leave, which would otherwise take more requests than an address may send. */
const fillFreePages = ({ app }: WebSite) =>
  app.db.write(async (tx) => {
    await tx.execute(sql`create table filler (content blob)`)
    await tx.execute(sql`insert into filler with recursive page(n) as
      (select 1 union all select n + 1 from page where n < (select freelist_count from pragma_freelist_count))
      select zeroblob(4000) from page`)
  })
const create = () =>
  fetch(path, { method: 'POST', headers, body: JSON.stringify({ name: 'Lamps', description: 'x'.repeat(200) }) })

it('rejects writes with a plain message, still answers reads, and recovers when there is space', async () => {
  await limitPages(site, 1)
  let refused = await create()
  for (let count = 0; refused.status < 300 && count < 300; count++) refused = await create()
  expect(refused.status).toBe(507)
  expect(await refused.json()).toMatchObject({
    code: 'storage_full',
    title: 'The storage is full',
    message: 'The disk of this server is full, so nothing can be stored. Free some space, then try again.',
  })
  expect((await fetch(path, { headers })).status).toBe(200)
  await limitPages(site, 1_000_000)
  expect((await create()).status).toBeLessThan(300)
})

describe('signing in', () => {
  const password = 'correct horse battery'
  const isSignedIn = (url: string) => new URL(url).pathname.startsWith('/onboarding')
  let web: WebSite
  beforeEach(async () => {
    web = await startWebSite(signInRoutes)
  })
  afterEach(() => web.close())

  it('says at each step that the disk is full, and works when there is space', async () => {
    const setUp = createBrowser()
    const form = await setUp.open((await web.app.identity.setupLink()) ?? '')
    await setUp.submit(form, { email: 'ada@example.test', name: 'Ada', surname: 'L', password })
    const forms = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const browser = createBrowser()
        return { browser, form: await browser.open(`${web.origin}/login`) }
      }),
    )
    await fillFreePages(web)
    await limitPages(web, 1)
    // Fills the free pages, then one step after the other fails.
    let started = await createBrowser().open(`${web.origin}/login`)
    for (let count = 0; started.status === 200 && count < 300; count++)
      started = await createBrowser().open(`${web.origin}/login`)
    const submitted = await Promise.all(
      forms.map(({ browser, form }) => browser.submit(form, { email: 'ada@example.test', password })),
    )
    // A sign-in deletes rows of its own, so some may still find room.
    const refused = [started, ...submitted].filter(({ url }) => !isSignedIn(url))
    expect(refused.length).toBeGreaterThan(1)
    for (const { status, url, text } of refused) {
      expect([status, url]).toEqual([507, url])
      expect(text).toContain('The disk of this server is full, so nothing can be stored.')
    }
    await limitPages(web, 1_000_000)
    const browser = createBrowser()
    const page = await browser.open(`${web.origin}/login`)
    const { url } = await browser.submit(page, { email: 'ada@example.test', password })
    expect(isSignedIn(url), url).toBe(true)
  })
})
