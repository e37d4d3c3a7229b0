import { fullNameOf } from '../../../contract/texts/full-name'
import type { AdministratorView } from '../../../contract/views/organizations/member'
import { paths } from '../../paths'
import { LinkButton } from '../ui/button'

interface WaitingOrganizationProps {
  organization: string
  /** The people of whom one has to answer the questions. */
  administrators: AdministratorView[]
}

/** Names the administrators who have to answer the questions, to members who cannot. */
export function WaitingOrganization({ organization, administrators }: WaitingOrganizationProps) {
  return (
    <div className="grid gap-4">
      <p>You can use {organization} as soon as an administrator has set it up. Ask one of them to log in:</p>
      <ul className="grid gap-2" aria-label="Administrators">
        {administrators.map(({ email, ...names }) => {
          const fullName = fullNameOf(names)
          return (
            <li key={email} className="wrap-anywhere">
              <span className="font-medium">{fullName || email}</span>
              {fullName && <p className="text-meta text-soft">{email}</p>}
            </li>
          )
        })}
      </ul>
      <div className="flex justify-end">
        <LinkButton to={paths.onboarding()} replace>
          Check again
        </LinkButton>
      </div>
    </div>
  )
}
