import type { Page } from 'playwright-core'
import type { Tour } from './tour'

/** What the widget offers to the scripts of its page. */
interface WidgetApi {
  ask(text: string): void
  on(event: 'answer', listener: () => void): void
}

/** The keys, the widget and the previews of an agent at `pathname`, as an administrator. */
export async function agentTabScreens({ page, origin, ready, shoot }: Tour, pathname: string): Promise<void> {
  for (const name of ['api', 'widget', 'demo-widget']) await shoot(page, `agent-${name}-empty`, `${pathname}/${name}`)
  await shoot(page, 'agent-smart-search-empty', `${pathname}/demo-search`)
  await page.goto(`${origin}${pathname}/api`)
  await ready()
  await page.getByRole('button', { name: 'Create keys' }).click()
  await page.getByText('API keys created successfully').waitFor()
  await page.getByLabel('Allowed origins').fill('https://lamps.example')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('API settings saved successfully').waitFor()
  await refuse(page, origin)
  await shoot(page, 'agent-api', `${pathname}/api`)
  await shoot(page, 'agent-api-access', undefined, () =>
    page.getByRole('region', { name: 'Examples' }).scrollIntoViewIfNeeded(),
  )
  await page.getByLabel('Allowed origins').fill('lamps.example')
  await page.getByText('lamps.example is not an origin').waitFor()
  await shoot(page, 'agent-api-refused')
  await shoot(page, 'agent-api-regenerate', `${pathname}/api?dialog=regenerate`)
  await shoot(page, 'agent-widget', `${pathname}/widget?theme=dark&title=Ask+Harbour+Lamps`)
  await shoot(page, 'agent-widget-preview', undefined, () =>
    page.getByRole('region', { name: 'Preview' }).scrollIntoViewIfNeeded(),
  )
  await page.getByLabel('Address of a page').fill(`${origin}/terms`)
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  const findings = page.getByRole('list', { name: 'Findings' })
  await findings.waitFor()
  await shoot(page, 'agent-widget-check', undefined, () => findings.scrollIntoViewIfNeeded())
  await page.goto(`${origin}${pathname}/demo-widget`)
  await ready()
  await shoot(page, 'agent-demo-widget')
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const { Sitelore } = window as unknown as { Sitelore: WidgetApi }
        Sitelore.on('answer', () => resolve())
        Sitelore.ask('How do I change the battery of my Storm 40?')
      }),
  )
  await shoot(page, 'agent-demo-widget-answer')
  await page.goto(`${origin}${pathname}/demo-search`)
  await ready()
  await page.getByLabel('Ask in your own words').fill('How do I change the battery of my Storm 40?')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Answer' }).waitFor()
  await shoot(page, 'agent-smart-search')
}

/** A call from a website that the public key does not allow. */
async function refuse(page: Page, origin: string): Promise<void> {
  const key = await page.getByLabel('Public key', { exact: true }).inputValue()
  await fetch(`${origin}/v1/public/search`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, Origin: 'https://blog.example', 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: 'lamp' }),
  })
}
