import { jpegPicture, pngPicture } from '../files/pictures'
import { ownPassword, type PageCall } from './page-call'

const account = { file: 'dashboard+/account', path: '/dashboard/account', may: 'anyone', spendsCaller: true } as const
const onAccount = { method: 'POST', ...account } as const
const picture = { file: 'dashboard+/account_.picture', path: '/dashboard/account/picture' } as const

const withPassword = () => ({ current_password: ownPassword })

/** The forms of the second factors, which two pages have. */
const secondFactorForms: Pick<PageCall, 'intent' | 'fields' | 'status' | 'storesNothing'>[] = [
  { intent: 'offer-authenticator', fields: withPassword, status: 200, storesNothing: true },
  { intent: 'set-authenticator', fields: (_, _unique, { authenticator }) => ({ ...authenticator }) },
  { intent: 'remove-authenticator', fields: withPassword, storesNothing: true },
  {
    intent: 'offer-passkey',
    fields: () => ({ name: 'Key', current_password: ownPassword }),
    status: 200,
    storesNothing: true,
  },
  { intent: 'add-passkey', fields: (_, _unique, { newPasskey }) => ({ ...newPasskey }) },
  { intent: 'remove-passkey', fields: (_, _unique, { passkey: id }) => ({ id, current_password: ownPassword }) },
  { intent: 'create-recovery-codes', fields: withPassword, status: 200 },
]
const secondFactor = {
  file: '_public+/second-factor',
  path: '/second-factor',
  may: 'anyone',
  spendsCaller: true,
} as const

/** The caller's own account. */
export const accountCalls: PageCall[] = [
  ...secondFactorForms.flatMap((form): PageCall[] => [
    { ...onAccount, ...form },
    { method: 'POST', ...secondFactor, ...form },
  ]),
  { method: 'GET', ...secondFactor },
  { method: 'GET', ...account },
  { ...onAccount, intent: 'rename', fields: (_, unique) => ({ name: `Ada ${unique}`, surname: '' }) },
  {
    ...onAccount,
    intent: 'change-password',
    fields: (_, unique) => ({ current_password: ownPassword, new_password: `${ownPassword} ${unique}` }),
  },
  {
    ...onAccount,
    intent: 'change-email',
    fields: (_, unique) => ({ email: `other-${unique}@example.com`, current_password: ownPassword }),
  },
  { ...onAccount, intent: 'confirm-email', fields: (_, _unique, { emailToken }) => ({ token: emailToken }) },
  { ...onAccount, intent: 'want-notices', fields: () => ({ wanted: 'off' }) },
  { ...onAccount, intent: 'end-session', fields: (_, _unique, { session }) => ({ id: session }), storesNothing: true },
  { ...onAccount, intent: 'end-other-sessions', storesNothing: true },
  { ...onAccount, intent: 'create-token', fields: (_, unique) => ({ name: unique, days: '30' }), status: 200 },
  { ...onAccount, intent: 'revoke-token', fields: (_, _unique, { token }) => ({ id: token }) },
  { method: 'GET', ...picture, may: 'everybody', status: 302 },
  {
    method: 'POST',
    ...picture,
    may: 'anyone',
    spendsCaller: true,
    upload: { field: 'picture', name: 'ada.jpg', content: () => jpegPicture },
  },
  { method: 'POST', ...picture, may: 'anyone', spendsCaller: true, intent: 'remove', fields: () => ({}) },
  {
    method: 'GET',
    file: '_public+/picture.$userId',
    path: '/picture/{person}',
    may: 'staff',
    prepare: ({ app }, { person: userId }) =>
      app.services.pictures.save({ kind: 'person', userId, staff: false, memberships: [] }, pngPicture),
  },
]
