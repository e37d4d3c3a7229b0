import { useNavigation } from '@remix-run/react'
import { pluralize } from '../../../../contract/texts/pluralize'
import type { OrganizationView } from '../../../../contract/views/organizations/organization'
import { Button } from '../../ui/button'
import { Card, CardHead } from '../../ui/card'
import { OrganizationForm } from '../../ui/forms/organization-form'

interface SecondFactorRequirementCardProps {
  organization: OrganizationView
  /** Members who have none. */
  withoutSecondFactor: number
}

/** Whether members need a second factor; administrators change it. */
export function SecondFactorRequirementCard({ organization, withoutSecondFactor }: SecondFactorRequirementCardProps) {
  const navigation = useNavigation()
  const isRequired = organization.requires_second_factor
  return (
    <Card label="Second factor">
      <CardHead title="Second factor" />
      <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
        <p className="min-w-0 flex-1 basis-64 text-soft">
          {isRequired
            ? 'Required: members have access only with an authenticator app or a passkey beside their password.'
            : 'Not required: a password alone gives access.'}
          {organization.abilities.edit && withoutSecondFactor > 0 && (
            <> {withoutText(withoutSecondFactor, isRequired)}</>
          )}
        </p>
        {organization.abilities.edit && (
          <OrganizationForm replace preventScrollReset>
            <input type="hidden" name="required" value={isRequired ? 'off' : 'on'} />
            <Button
              name="intent"
              value="require-second-factor"
              pending={navigation.formData?.get('intent') === 'require-second-factor'}
            >
              {isRequired ? 'No longer require' : 'Require for all members'}
            </Button>
          </OrganizationForm>
        )}
      </div>
    </Card>
  )
}

function withoutText(members: number, isRequired: boolean): string {
  const subject = `${pluralize(members, 'member')} ${members === 1 ? 'has' : 'have'} none`
  return isRequired
    ? `${subject} and no access until they set one up.`
    : `${subject} and would lose access until they set one up.`
}
