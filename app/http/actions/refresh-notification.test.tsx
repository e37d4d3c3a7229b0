import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { NotificationStack } from '../../components/notifications/notification-stack'
import { refreshNotification } from './source-actions.server'

const shown = (...parts: Parameters<typeof refreshNotification>) =>
  renderToStaticMarkup(<NotificationStack notifications={[refreshNotification(...parts)]} dismiss={() => {}} />)

// texts Collections and sources: `Your source is taking a long time to process`, `Failed to refresh source`
it('shows the texts of a refresh that did not start, or goes on', () => {
  const working = shown({ code: 'still_working', message: '' })
  expect(working).toContain('Your source is taking a long time to process')
  expect(working).toContain('It is still working in the background.')
  const refused = shown({ code: 'conflict', message: 'A page of this source is being read.' })
  expect(refused).toContain('Failed to refresh source')
  expect(refused).toContain('A page of this source is being read.')
  expect(shown({ code: 'unavailable', message: '' })).toContain('Failed to process source')
})
