import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, it } from 'vitest'
import * as collections from '../../app/routes/v1+/$orgId+/collections'
import { organizations } from '../../db/schema/organizations'
import { system } from '../../server/actor'
import { issueToken } from '../support/access-token'
import { createPerson } from '../support/people'
import { startWebSite, type WebSite } from '../support/web-site'

let site: WebSite
let headers: Record<string, string>
let path: string
beforeEach(async () => {
  site = await startWebSite({ 'v1/:orgId/collections': collections })
  const { id } = await site.app.services.organizations.create(system, { name: 'Fennel', entity_name: '' })
  await site.app.db.write((tx) => tx.update(organizations).set({ plan: 'unlimited' }))
  const { email } = await createPerson(site.app, { [id]: 'admin' })
  const token = await issueToken(site.app, email)
  headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  path = `${site.origin}/v1/${id}/collections`
})
afterEach(() => site.close())

/** How large the database may become, in pages: a full disk, for the database alone. */
const limit = (pages: number) => site.app.db.write((tx) => tx.execute(sql.raw(`pragma max_page_count = ${pages}`)))
const create = () =>
  fetch(path, { method: 'POST', headers, body: JSON.stringify({ name: 'Lamps', description: 'x'.repeat(200) }) })

it('rejects writes with a plain message, still answers reads, and recovers when there is space', async () => {
  await limit(1)
  let refused = await create()
  for (let count = 0; refused.status < 300 && count < 300; count++) refused = await create()
  expect(refused.status).toBe(507)
  expect(await refused.json()).toMatchObject({
    code: 'storage_full',
    title: 'The storage is full',
    message: 'The disk of this server is full, so nothing can be stored. Free some space, then try again.',
  })
  expect((await fetch(path, { headers })).status).toBe(200)
  await limit(1_000_000)
  expect((await create()).status).toBeLessThan(300)
})
