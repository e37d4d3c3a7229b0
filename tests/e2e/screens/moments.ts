import { desc, eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { organizations } from '../../../db/schema/organizations'
import { threads } from '../../../db/schema/threads'
import { system } from '../../../server/actor'
import { openGuestPage, type Tour } from './tour'

const question = 'How do I change the battery of my Storm 40?'

/** The states of pages that are there for a moment, for a guest, or when something is wrong. */
export async function momentScreens(tour: Tour): Promise<void> {
  await chatScreens(tour)
  await limitScreens(tour)
  const guest = await openGuestPage(tour.page)
  await guestScreens(tour, guest)
  await guest.close()
  // A page of its own: the tour reports what a browser writes to its console about a failed response.
  const otherPage = await tour.page.context().newPage()
  await errorScreens(tour, otherPage)
  await otherPage.close()
}

/** An answer that is being written, that was stopped, and that broke off. */
async function chatScreens({ page, origin, provider, ready, shoot }: Tour): Promise<void> {
  await page.goto(`${origin}/dashboard/agents`)
  await page.getByRole('link', { name: 'Workshop helper', exact: true }).click()
  await page.waitForURL('**/dashboard/agent/*')
  await ready()
  const ask = async () => {
    await page.getByLabel('Message', { exact: true }).fill(question)
    await page.keyboard.press('Enter')
  }
  provider.next({ kind: 'stall', words: 12 })
  await ask()
  await page.getByRole('article', { name: 'Answer' }).last().locator('.prose').waitFor()
  await shoot(page, 'chat-streaming')
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByText('Stopped before the end of the answer.').waitFor()
  await shoot(page, 'chat-stopped')
  provider.next({ kind: 'error-event', words: 12, message: 'The model is overloaded.' })
  await ask()
  await page.getByRole('button', { name: 'Retry' }).waitFor()
  await ready()
  await shoot(page, 'chat-failed')
}

/** The dashboard of an organization whose plan is used up. */
async function limitScreens({ app, page, shoot }: Tour): Promise<void> {
  const limits = { collections: 2, sources: 6, urls: 60, agents: 2, threads: 5, messages: 10, crawls: 30, searches: 12 }
  await app.services.plans.set(system, 'small', { display_name: 'Small', storage: 40_000_000, ...limits })
  const [organization] = await app.db.read.select().from(organizations).where(eq(organizations.name, 'Harbour Lamps'))
  await app.services.plans.assign(system, organization?.id ?? '', 'small')
  await shoot(page, 'dashboard-limits', '/dashboard')
  await shoot(page, 'dashboard-limits-meters', undefined, () =>
    page.getByRole('region', { name: 'Usage' }).scrollIntoViewIfNeeded(),
  )
  await app.services.plans.assign(system, organization?.id ?? '', 'unlimited')
}

/** The provider's own pages, a thread that was shared, and addresses that lead nowhere. */
async function guestScreens({ app, origin, shoot }: Tour, guest: Page): Promise<void> {
  await guest.goto(`${origin}/login`)
  await shoot(guest, 'log-in')
  await guest.getByLabel('E-mail').fill('ada@example.com')
  await guest.getByLabel('Password').fill('a wrong password')
  await guest.getByRole('button', { name: 'Log in' }).click()
  await guest.getByText('Wrong e-mail or password').waitFor()
  await shoot(guest, 'log-in-refused')
  await guest.getByRole('link', { name: 'Forgot your password?' }).click()
  await guest.waitForURL('**/forgot')
  await shoot(guest, 'forgot-password')
  await guest.goto(`${origin}/login?screen_hint=signup`)
  await shoot(guest, 'sign-up-closed')

  const [thread] = await app.db.read.select().from(threads).orderBy(desc(threads.createdAt)).limit(1)
  const { id: threadId = '', organizationId = '' } = thread ?? {}
  await app.services.sharedThreads.share(system, { organizationId, threadId })
  await shoot(guest, 'shared-thread', `/thread/${threadId}`)
  await shoot(guest, 'shared-thread-missing', '/thread/none')
  await shoot(guest, 'help-unknown', '/help/no-such-page')
  await guest.goto(`${origin.replace('localhost', '127.0.0.1')}/dashboard`)
  await shoot(guest, 'wrong-address')
}

/** Pages whose data cannot be loaded. */
async function errorScreens({ app, shoot }: Tour, page: Page): Promise<void> {
  const { organizations: service, admin } = app.services
  const { usage } = service
  const { userGrowth } = admin
  const fail = () => Promise.reject(new Error('Broken for this picture.'))
  service.usage = fail
  await shoot(page, 'dashboard-error', '/dashboard')
  service.usage = usage
  admin.userGrowth = fail
  await shoot(page, 'admin-error', '/admin')
  admin.userGrowth = userGrowth
}
