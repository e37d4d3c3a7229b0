import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { OrganizationFailure } from './organization-failure'

// texts Onboarding: `Oops, something went wrong!`, `Something went wrong, try again later!`
it("shows the contract's texts", () => {
  const html = renderToStaticMarkup(<OrganizationFailure />)
  expect(html).toContain('Oops, something went wrong!')
  expect(html).toContain('Something went wrong, try again later!')
})
