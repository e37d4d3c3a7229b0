import { useState } from 'react'
import type { KeychainView } from '../../../contract/views/organizations/keychain'
import { CopyButton } from '../copy-button'
import { Button, LinkButton } from '../ui/button'
import { Card, CardHead } from '../ui/card'
import { classes } from '../ui/classes'
import { controlClasses } from '../ui/forms/field'
import { maskKey } from './mask-key'

/** Both keys of an agent. The private one is masked until it is shown. */
export function KeysCard({ keychain }: { keychain: KeychainView }) {
  const [isVisible, setIsVisible] = useState(false)
  const { public_key: publicKey, private_key: privateKey } = keychain
  return (
    <Card label="Keys">
      <CardHead title="Keys">
        <LinkButton to="?dialog=regenerate" preventScrollReset>
          Regenerate…
        </LinkButton>
      </CardHead>
      <div className="grid gap-4 p-4">
        <div className="grid gap-1">
          <label htmlFor="public-key" className="font-medium">
            Public key
          </label>
          <div className="flex items-center gap-2">
            <input id="public-key" readOnly value={publicKey} className={classes(controlClasses, 'font-mono')} />
            <CopyButton text={publicKey} variant="plain" />
          </div>
          <p className="text-meta text-soft">
            For the widget and for web pages, where every visitor can see it. Works from the allowed origins.
          </p>
        </div>
        <div className="grid gap-1">
          <label htmlFor="private-key" className="font-medium">
            Private key
          </label>
          <div className="flex flex-wrap items-center gap-2">
            <input
              id="private-key"
              readOnly
              value={isVisible ? privateKey : maskKey(privateKey)}
              className={classes(controlClasses, '!w-auto min-w-0 flex-1 basis-32 font-mono')}
            />
            <Button
              type="button"
              className="needs-script shrink-0"
              onClick={() => setIsVisible(!isVisible)}
              aria-pressed={isVisible}
              aria-label={isVisible ? 'Hide the private key' : 'Show the private key'}
            >
              {isVisible ? 'Hide' : 'Show'}
            </Button>
            <CopyButton text={privateKey} variant="plain" />
          </div>
          <p className="text-meta text-soft">For servers. Keep it out of web pages.</p>
        </div>
      </div>
    </Card>
  )
}
