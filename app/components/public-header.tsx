import { Form, Link } from '@remix-run/react'
import { fullNameOf } from '../../contract/texts/full-name'
import type { CurrentUserView } from '../../contract/views/organizations/user'
import { paths } from '../paths'
import { Avatar } from './avatar'
import { Brand } from './brand'
import { Button, buttonClasses } from './ui/button'

type SignUp = 'invited' | 'open' | 'closed'

/** Shown to guests who cannot simply create an account. */
const signUpNotes: Record<SignUp, string | null> = {
  invited: 'Sign-up is by invitation',
  open: null,
  closed: 'Sign-up is closed',
}

interface PublicHeaderProps {
  user: CurrentUserView | null
  /** Who may create an account. */
  signUp: SignUp
}

/** The header of public pages, for guests and signed-in people. */
export function PublicHeader({ user, signUp }: PublicHeaderProps) {
  return (
    <header className="border-b border-line bg-surface">
      <div className="mx-auto flex min-h-[60px] max-w-6xl flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5 sm:px-6">
        <Brand to={paths.landing()} />
        {user ? (
          <div className="ml-auto flex min-w-0 flex-wrap items-center justify-end gap-2 max-sm:contents">
            <SignedIn user={user} />
          </div>
        ) : (
          <Guest note={signUpNotes[signUp]} />
        )}
      </div>
    </header>
  )
}

function Guest({ note }: { note: string | null }) {
  return (
    <div className="flex min-w-0 flex-1 basis-52 flex-wrap items-center justify-end gap-x-2 gap-y-1">
      <Link to={paths.login()} reloadDocument className={buttonClasses('quiet', 'max-sm:px-2')}>
        Log In
      </Link>
      <Link to={paths.signUp()} reloadDocument className={buttonClasses('plain', 'max-sm:px-2')}>
        Create an account
      </Link>
      {note && <p className="text-meta text-soft max-sm:basis-full max-sm:text-right">{note}</p>}
    </div>
  )
}

function SignedIn({ user }: { user: CurrentUserView }) {
  const fullName = fullNameOf(user)
  return (
    <>
      <div className="flex min-w-0 items-center gap-2.5 max-sm:order-last max-sm:basis-full">
        <Avatar person={user} />
        <div className="min-w-0 leading-tight">
          {fullName && <p className="truncate font-medium">{fullName}</p>}
          <p className="truncate text-meta text-soft">{user.email}</p>
        </div>
      </div>
      <Link to={paths.dashboard()} className={buttonClasses('primary', 'max-sm:ml-auto')}>
        Dashboard
      </Link>
      <Form method="post" action={paths.logout()} reloadDocument>
        <Button>Log Out</Button>
      </Form>
    </>
  )
}
