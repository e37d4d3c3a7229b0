import { fullNameOf } from '../../contract/texts/full-name'
import type { CurrentUserView } from '../../contract/views/organizations/user'
import { classes } from './ui/classes'

export type AvatarPerson = Pick<CurrentUserView, 'name' | 'surname' | 'email' | 'picture'>

/** The picture of a person, or their initial. */
export function Avatar({ person, className = 'size-8' }: { person: AvatarPerson; className?: string }) {
  if (person.picture)
    return (
      <img
        src={person.picture}
        alt=""
        className={classes('shrink-0 rounded-full border border-line object-cover', className)}
      />
    )
  return (
    <span
      aria-hidden="true"
      className={classes(
        'grid shrink-0 place-items-center rounded-full bg-accent-soft font-semibold text-accent-strong uppercase',
        className,
      )}
    >
      {(fullNameOf(person) || person.email).slice(0, 1)}
    </span>
  )
}
