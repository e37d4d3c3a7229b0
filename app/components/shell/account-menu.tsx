import { Link } from '@remix-run/react'
import { CircleUserRound } from 'lucide-react'
import { fullNameOf } from '../../../contract/texts/full-name'
import { paths } from '../../paths'
import { Avatar, type AvatarPerson } from '../avatar'
import { Menu, menuItemClasses } from '../ui/menus/menu'

/** Who is signed in, with a link to their account. */
export function AccountMenu({ person }: { person: AvatarPerson }) {
  const fullName = fullNameOf(person)
  return (
    <Menu
      name="Account menu"
      align="end"
      label={<Avatar person={person} className="size-6 text-meta" />}
      summaryClassName="inline-flex rounded-full p-1.5 hover:bg-sunken"
    >
      <div className="mb-1 max-w-64 border-b border-line px-2.5 pt-1 pb-2 leading-tight">
        {fullName && <p className="truncate font-medium">{fullName}</p>}
        <p className="truncate text-meta text-soft">{person.email}</p>
      </div>
      <Link to={paths.account()} data-menu-item className={menuItemClasses}>
        <CircleUserRound aria-hidden="true" />
        Your account
      </Link>
    </Menu>
  )
}
