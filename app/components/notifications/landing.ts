import { type Notification, notification } from './notification'

const unverified = 'You need to verify your email before logging in.'
const maxDescriptionLength = 300

/** The contract's titles. Any other code is 'Login failed'. */
const titles = new Map([
  ['state_mismatch', 'Invalid state'],
  ['missing_transaction', 'Invalid state'],
])

/** For codes whose description only repeats the title. */
const explanations = new Map(
  Object.entries({
    state_mismatch: 'The answer belongs to another sign-in. Please log in again.',
    missing_transaction: 'This sign-in has expired or was already used. Please log in again.',
    login_required: 'The sign-in service asks you to log in again.',
    timeout: 'The sign-in service took too long to answer. Please log in again.',
    cancelled: 'The sign-in was cancelled.',
    access_denied: 'The sign-in was refused. Please log in again.',
    mfa_required: 'The sign-in service asks for a second factor. Please log in again.',
    missing_refresh_token: 'The sign-in has expired. Please log in again.',
    use_dpop_nonce: 'The sign-in service rejected the request. Please log in again.',
  }),
)

/**
 * The notifications for a failed sign-in. Anybody can write the query of the landing page, so only its code and the
 * contract's own description are used from it. `failure` is what our own sign-in reported, if there was one.
 */
export function landingNotifications(
  search: URLSearchParams,
  failure: { code: string; description: string } | null,
): Notification[] {
  const code = search.get('error')
  if (!code) return []
  const ours = failure?.code === code ? failure.description.slice(0, maxDescriptionLength) : null
  if (code !== 'access_denied')
    return [notification('danger', titles.get(code) ?? 'Login failed', explanation(code, ours))]
  if ((ours ?? search.get('error_description')) === unverified) {
    return [
      notification('warning', 'Account not verified!', 'You need to verify your email address before logging in.'),
    ]
  }
  return [notification('danger', 'Failed to log in, access denied!', explanation(code, ours))]
}

function explanation(code: string, ours: string | null): string {
  const repeatsTitle = ours === null || ours === 'Invalid state' || ours === 'Login failed'
  return repeatsTitle ? (explanations.get(code) ?? 'Please log in again.') : ours
}
