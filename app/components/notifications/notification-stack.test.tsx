import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { notification, staysUntilDismissed, toast, withNotification } from './notification'
import { NotificationStack } from './notification-stack'

describe('staysUntilDismissed', () => {
  // contract 4.17: Notifications stay if persistent or with a dismiss handler
  it('is true of persistent notifications and of those with a dismiss handler', () => {
    expect(staysUntilDismissed(notification('info', 'Saved'))).toBe(false)
    expect(staysUntilDismissed(toast('info', 'Saved'))).toBe(false)
    expect(staysUntilDismissed({ ...toast('info', 'Saved'), persistent: true })).toBe(true)
    expect(staysUntilDismissed({ ...toast('info', 'Saved'), onDismiss: () => {} })).toBe(true)
  })
})

describe('withNotification', () => {
  it('replaces a notification with the same text, and keeps others', () => {
    const [first, otherNotification, again] = [
      notification('danger', 'Failed'),
      toast('info', 'Saved'),
      notification('danger', 'Failed'),
    ]
    expect(withNotification([first, otherNotification], again)).toEqual([otherNotification, again])
    const longer = notification('danger', 'Failed', 'The name is taken.')
    expect(withNotification([first], longer)).toEqual([first, longer])
  })
})

describe('NotificationStack', () => {
  it('has a dismiss button for a notification with a dismiss handler', () => {
    const html = (onDismiss?: () => void) =>
      renderToStaticMarkup(
        <NotificationStack notifications={[{ ...toast('info', 'Saved'), onDismiss }]} dismiss={() => {}} />,
      )
    expect(html()).not.toContain('aria-label="Dismiss"')
    expect(html(() => {})).toContain('aria-label="Dismiss"')
  })
})
