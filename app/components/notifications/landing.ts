import { type Notification, notification } from './notification'

const unverified = 'You need to verify your email before logging in.'

/** The contract's; whatever it does not name is a login that failed. */
const titles = new Map([
  ['state_mismatch', 'Invalid state'],
  ['missing_transaction', 'Invalid state'],
])

/** For codes that the sign-in describes by their title alone. */
const explanations = new Map(
  Object.entries({
    state_mismatch: 'The answer belongs to another sign-in. Please log in again.',
    missing_transaction: 'This sign-in was open for too long or was used already. Please log in again.',
    login_required: 'The sign-in service asks you to log in again.',
    timeout: 'The sign-in service took too long to answer. Please log in again.',
    cancelled: 'The sign-in was cancelled.',
    mfa_required: 'The sign-in service asks for a second factor. Please log in again.',
  }),
)

/** What a failed sign-in left in the address of the landing page. */
export function landingNotifications(search: URLSearchParams): Notification[] {
  const code = search.get('error')
  if (!code) return []
  const description = search.get('error_description')?.slice(0, 300) || undefined
  if (code !== 'access_denied')
    return [notification('danger', titles.get(code) ?? 'Login failed', toldApart(code, description))]
  if (description === unverified) {
    return [
      notification('warning', 'Account not verified!', 'You need to verify your email address before logging in.'),
    ]
  }
  return [notification('danger', 'Failed to log in, access denied!', description)]
}

function toldApart(code: string, description: string | undefined): string {
  const same = description === undefined || description === 'Invalid state' || description === 'Login failed'
  return same ? (explanations.get(code) ?? 'Please log in again.') : description
}
