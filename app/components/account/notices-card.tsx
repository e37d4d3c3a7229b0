import { Form, useNavigation } from '@remix-run/react'
import { Button } from '../ui/button'
import { Card, CardHead } from '../ui/card'

/** Turns mails about what needs attention on and off. */
export function NoticesCard({ isWanted }: { isWanted: boolean }) {
  const navigation = useNavigation()
  return (
    <Card label="E-mails">
      <CardHead title="E-mails" />
      <Form
        method="post"
        replace
        preventScrollReset
        className="flex flex-wrap items-center justify-between gap-3 px-4 py-3"
      >
        <input type="hidden" name="wanted" value={isWanted ? 'off' : 'on'} />
        <p className="min-w-0 flex-1 basis-64 text-soft">
          {isWanted
            ? 'You get an e-mail when something needs attention: a source that fails or loses pages, a limit of the plan, answers that fail. At most one an hour of each kind.'
            : 'You get no e-mail when something needs attention. The dashboard shows it.'}
        </p>
        <Button name="intent" value="want-notices" pending={navigation.formData?.get('intent') === 'want-notices'}>
          {isWanted ? 'Turn off' : 'Turn on'}
        </Button>
      </Form>
    </Card>
  )
}
