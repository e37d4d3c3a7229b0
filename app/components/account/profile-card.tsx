import { type SubmissionResult, useForm } from '@conform-to/react'
import { Form, useNavigation } from '@remix-run/react'
import type { PersonName } from '../../../contract/organizations/account'
import { maxPersonNameLength } from '../../../contract/values/limits'
import type { CurrentUserView } from '../../../contract/views/organizations/user'
import { Button } from '../ui/button'
import { Card, CardHead } from '../ui/card'
import { TextField } from '../ui/forms/field'
import { FormProblem } from '../ui/forms/form-problem'
import { EmailForm } from './email-form'
import { PictureForm } from './picture-form'

interface ProfileCardProps {
  user: CurrentUserView
  /** Host of the external sign-in service, which keeps name and e-mail address; null with the embedded provider. */
  signInService: string | null
  /** Whether the site can mail a link to a new e-mail address. */
  sendsMail: boolean
  lastResult: SubmissionResult<string[]> | undefined
  lastEmailResult: SubmissionResult<string[]> | undefined
}

/** Picture, name and e-mail address. */
export function ProfileCard({ user, signInService, sendsMail, lastResult, lastEmailResult }: ProfileCardProps) {
  return (
    <Card label="Profile">
      <CardHead title="Profile" />
      <div className="grid gap-6 p-4">
        <PictureForm user={user} />
        {signInService === null ? (
          <>
            <NameForm user={user} lastResult={lastResult} />
            <EmailForm user={user} sendsMail={sendsMail} lastResult={lastEmailResult} />
          </>
        ) : (
          <>
            <Facts facts={{ Name: user.name, Surname: user.surname, 'E-mail': user.email }} />
            <p className="max-w-prose text-meta text-soft">
              Your name and e-mail address come from {signInService}, where you sign in. Change them there; this page
              updates at your next sign-in.
            </p>
          </>
        )}
      </div>
    </Card>
  )
}

function NameForm({ user, lastResult }: Pick<ProfileCardProps, 'user' | 'lastResult'>) {
  const navigation = useNavigation()
  const [form, fields] = useForm<PersonName>({
    id: 'profile',
    lastResult,
    defaultValue: { name: user.name ?? '', surname: user.surname ?? '' },
  })
  return (
    <Form method="post" replace preventScrollReset id={form.id} noValidate data-guard className="grid gap-4">
      <FormProblem errors={form.errors} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField field={fields.name} label="Name" maxLength={maxPersonNameLength} autoComplete="given-name" />
        <TextField field={fields.surname} label="Surname" maxLength={maxPersonNameLength} autoComplete="family-name" />
      </div>
      <div>
        <Button
          variant="primary"
          name="intent"
          value="rename"
          pending={navigation.formData?.get('intent') === 'rename'}
        >
          Save
        </Button>
      </div>
    </Form>
  )
}

function Facts({ facts }: { facts: Record<string, string | null> }) {
  return (
    <dl className="grid gap-3 sm:grid-cols-2">
      {Object.entries(facts).map(([label, value]) => (
        <div key={label}>
          <dt className="font-medium">{label}</dt>
          <dd className="mt-1 wrap-anywhere text-soft">{value || 'Not set'}</dd>
        </div>
      ))}
    </dl>
  )
}
