import type { Tour } from './tour'

/** The account page: a new token, a wrong password, sessions, a picture. */
export async function accountScreens({ page, origin, ready, shoot }: Tour): Promise<void> {
  await page.goto(`${origin}/dashboard/account?dialog=token`)
  await ready()
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Nightly reports')
  await shoot(page, 'account-token')
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByLabel('Access token', { exact: true }).waitFor()
  await shoot(page, 'account-token-created')
  await page.getByRole('link', { name: 'Done' }).click()
  await page.getByLabel('Current password').fill('a wrong password')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Password is required').waitFor()
  await shoot(page, 'account-password')
  await shoot(page, 'account-tokens', undefined, () => page.getByText('This browser').first().scrollIntoViewIfNeeded())
  const picture = await page.locator('header').first().screenshot()
  await page.goto(`${origin}/dashboard/account`)
  await ready()
  await page.getByLabel('Picture').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: picture })
  await page.getByRole('button', { name: 'Upload' }).click()
  await page.getByText('Picture saved').waitFor()
  await shoot(page, 'account')
  await shoot(page, 'account-menu', undefined, async () => {
    if (!(await page.getByRole('link', { name: 'Your account' }).isVisible()))
      await page.getByLabel('Account menu').click()
  })
  await shoot(page, 'landing-signed-in', '/')
}
