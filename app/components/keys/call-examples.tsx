import type { KeychainView } from '../../../contract/views/organizations/keychain'
import { paths } from '../../paths'
import { Card, CardHead } from '../ui/card'
import { CodeBlock } from '../ui/code-block'
import { Tabs } from '../ui/tabs'
import { maskKey } from './mask-key'

interface CallExamplesProps {
  keychain: Pick<KeychainView, 'public_key' | 'private_key'>
  publicUrl: string
}

/** Calls that work as they are: with the private key for servers, and with the public one for pages. */
export function CallExamples({ keychain, publicUrl }: CallExamplesProps) {
  const { public_key: publicKey, private_key: privateKey } = keychain
  const curl = (key: string) =>
    [
      `curl -X POST ${publicUrl}/v1/chat/simple \\`,
      `  -H 'Authorization: Bearer ${key}' \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -d '{"prompt": "When are you open?"}'`,
    ].join('\n')
  const script = [
    `const response = await fetch('${publicUrl}/v1/chat/simple', {`,
    `  method: 'POST',`,
    `  headers: {`,
    `    Authorization: 'Bearer ${publicKey}',`,
    `    'Content-Type': 'application/json',`,
    `  },`,
    `  body: JSON.stringify({ prompt: 'When are you open?' }),`,
    `})`,
    `const { message, fragments } = await response.json()`,
  ].join('\n')
  return (
    <Card label="Examples">
      <CardHead title="Examples">
        <a href={paths.help('http-keys')} className="text-meta text-accent-strong hover:underline">
          Manual
        </a>
        <a href={paths.apiReference()} className="text-meta text-accent-strong hover:underline">
          API reference
        </a>
      </CardHead>
      <Tabs
        label="Examples"
        tabs={[
          {
            value: 'curl',
            title: 'curl',
            content: (
              <div className="p-4">
                <CodeBlock label="curl" code={curl(maskKey(privateKey))} copied={curl(privateKey)} />
                <p className="mt-1 text-meta text-soft">The copied command contains your private key.</p>
              </div>
            ),
          },
          {
            value: 'javascript',
            title: 'JavaScript',
            content: (
              <div className="p-4">
                <CodeBlock label="JavaScript" code={script} />
              </div>
            ),
          },
        ]}
      />
    </Card>
  )
}
