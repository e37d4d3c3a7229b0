import { afterEach, expect, it, vi } from 'vitest'
import { openWhileShown } from './open-while-shown'

afterEach(() => void vi.unstubAllGlobals())

it('closes a connection while the page is hidden, and opens it once when the page returns', () => {
  const page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  let open = 0
  const end = openWhileShown(() => {
    open++
    return () => open--
  })
  // The first display of a page is an event, too.
  page.dispatchEvent(new Event('pageshow'))
  expect(open).toBe(1)
  page.dispatchEvent(new Event('pagehide'))
  expect(open).toBe(0)
  page.dispatchEvent(new Event('pageshow'))
  expect(open).toBe(1)
  end()
  page.dispatchEvent(new Event('pageshow'))
  expect(open).toBe(0)
})
