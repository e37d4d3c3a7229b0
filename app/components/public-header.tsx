import { Form, Link } from '@remix-run/react'
import type { CurrentUserView } from '../../contract/views/user'
import { paths } from '../paths'
import { Brand } from './brand'
import { Button, buttonClasses } from './ui/button'

/** The header of public pages, for guests and signed-in people. */
export function PublicHeader({ user }: { user: CurrentUserView | null }) {
  return (
    <header className="border-b border-line bg-surface">
      <div className="mx-auto flex min-h-[60px] max-w-6xl flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5 sm:px-6">
        <Brand to={paths.landing()} />
        <div className="ml-auto flex flex-wrap items-center justify-end gap-2">
          {user ? <SignedIn user={user} /> : <Guest />}
        </div>
      </div>
    </header>
  )
}

function Guest() {
  return (
    <>
      <Link to={paths.login()} reloadDocument className={buttonClasses('quiet')}>
        Log In
      </Link>
      <Link to={paths.signUp()} reloadDocument className={buttonClasses('primary')}>
        Create an account
      </Link>
    </>
  )
}

function SignedIn({ user }: { user: CurrentUserView }) {
  const fullName = [user.name, user.surname].filter(Boolean).join(' ')
  return (
    <>
      <div className="flex min-w-0 items-center gap-2.5">
        {user.picture && isShowable(user.picture) ? (
          <img src={user.picture} alt="" width="32" height="32" className="size-8 rounded-full" />
        ) : (
          <span
            aria-hidden="true"
            className="grid size-8 shrink-0 place-items-center rounded-full bg-accent-soft font-[620] text-accent-strong uppercase"
          >
            {(fullName || user.email).slice(0, 1)}
          </span>
        )}
        <div className="min-w-0 leading-tight">
          {fullName && <p className="truncate font-[570]">{fullName}</p>}
          <p className="truncate text-small text-soft">{user.email}</p>
        </div>
      </div>
      <Link to={paths.dashboard()} className={buttonClasses('primary')}>
        Dashboard
      </Link>
      <Form method="post" action={paths.logout()} reloadDocument>
        <Button>Log Out</Button>
      </Form>
    </>
  )
}

/** Pictures from other hosts are not loaded: they would track each visit, and the content security policy forbids them. */
function isShowable(picture: string): boolean {
  return /^data:image\//i.test(picture) || /^\/(?![/\\])/.test(picture)
}
