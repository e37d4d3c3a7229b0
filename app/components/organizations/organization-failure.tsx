import { organizationFailure } from '../../../contract/texts/organization-failure'
import { Notice } from '../ui/feedback/notice'

/** The contract's banner for an organization that could not be created. */
export function OrganizationFailure() {
  return (
    <Notice kind="danger" title={organizationFailure.title}>
      {organizationFailure.message}
    </Notice>
  )
}
