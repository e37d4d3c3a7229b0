import { Form, useNavigation } from '@remix-run/react'
import type { AddressView } from '../../../contract/views/address'
import { Button, type ButtonLook } from '../ui/button'

/** Retry and Ignore, each where it would change something. */
export function AddressActs({ address, look }: { address: AddressView; look?: ButtonLook }) {
  const { formData: sent } = useNavigation()
  const name = address.meta_title || address.url
  const waiting = address.status === 'pending' || address.status === 'crawling'
  const acts: [intent: string, word: string][] = []
  if (!waiting) acts.push(['retry-address', 'Retry'])
  if (!address.ignored) acts.push(['ignore-address', 'Ignore'])
  return (
    <>
      {acts.map(([intent, word]) => (
        <Form key={intent} method="post" preventScrollReset replace>
          <input type="hidden" name="id" value={address.id} />
          <Button
            look={look}
            name="intent"
            value={intent}
            aria-label={`${word} ${name}`}
            pending={sent?.get('intent') === intent && sent.get('id') === address.id}
          >
            {word}
          </Button>
        </Form>
      ))}
    </>
  )
}
