import { type Notification, notification } from './notification'

const unverified = 'You need to verify your email before logging in.'

/** What a failed sign-in left in the address of the landing page. */
export function landingNotifications(search: URLSearchParams): Notification[] {
  if (search.get('error') !== 'access_denied') return []
  const description = search.get('error_description') ?? undefined
  if (description === unverified) {
    return [
      notification('warning', 'Account not verified!', 'You need to verify your email address before logging in.'),
    ]
  }
  return [notification('danger', 'Failed to log in, access denied!', description?.slice(0, 300))]
}
