import { parse, type SubmissionResult, useForm } from '@conform-to/react'
import { useRef } from 'react'
import { type KeychainFields, keychainProblems } from '../../../contract/organizations/keychain-fields'
import { dailyMessages, keyRates } from '../../../contract/values/limits'
import type { KeychainView } from '../../../contract/views/organizations/keychain'
import { Button } from '../ui/button'
import { Card, CardHead } from '../ui/card'
import { UnsavedGuard } from '../ui/dialogs/unsaved-guard'
import { TextField } from '../ui/forms/field'
import { FormProblem } from '../ui/forms/form-problem'
import { OrganizationForm } from '../ui/forms/organization-form'
import { useSubmitting } from '../ui/forms/use-submitting'

interface KeychainFormProps {
  keychain: KeychainView
  lastResult: SubmissionResult<string[]> | undefined
}

/** Where the keys may be used from, and how often. The fields are checked while they are typed. */
export function KeychainForm({ keychain, lastResult }: KeychainFormProps) {
  const submitting = useSubmitting()
  const scope = useRef<HTMLDivElement>(null)
  const [form, fields] = useForm<Partial<KeychainFields>>({
    id: 'keychain',
    lastResult,
    shouldValidate: 'onInput',
    onValidate: ({ formData }) => parse(formData, { resolve: (fields) => validate(fields) }),
    defaultValue: {
      allowedOrigins: keychain.allowed_origins,
      allowedIps: keychain.allowed_ips,
      rateLimit: String(keychain.rate_limit),
      dailyMessages: keychain.daily_messages === null ? '' : String(keychain.daily_messages),
    },
  })
  return (
    <div ref={scope}>
      <UnsavedGuard scope={scope} />
      <OrganizationForm preventScrollReset id={form.id} onSubmit={form.onSubmit} noValidate data-guard>
        <Card label="Access">
          <CardHead title="Access" />
          <div className="grid gap-4 p-4 xl:grid-cols-2">
            <div className="empty:hidden xl:col-span-2">
              <FormProblem errors={form.errors} />
            </div>
            <TextField
              field={fields.allowedOrigins}
              label="Allowed origins"
              rows={2}
              placeholder="https://www.example.com"
              hint={
                keychain.allowed_origins === ''
                  ? 'Comma-separated. Empty means any: any website or program can use the public key.'
                  : 'Comma-separated. Only pages of these websites, and the previews here, can use the public key.'
              }
            />
            <TextField
              field={fields.allowedIps}
              label="Allowed IPs"
              rows={2}
              placeholder="203.0.113.7, 203.0.113.0/24"
              hint={
                keychain.allowed_ips === ''
                  ? 'Addresses or networks, comma-separated. Empty means any: the private key works from every server.'
                  : 'Addresses or networks, comma-separated. The private key works from these only.'
              }
            />
            <TextField
              field={fields.rateLimit}
              label="Rate limit"
              required
              type="number"
              min={keyRates.min}
              max={keyRates.max}
              step={1}
              hint="Requests a minute that each of the two keys may send."
            />
            <TextField
              field={fields.dailyMessages}
              label="Daily messages"
              type="number"
              min={dailyMessages.min}
              max={dailyMessages.max}
              step={1}
              hint="Answers a day (UTC) to callers with a key. Empty means no limit."
            />
          </div>
          {/* In reach from each of the fields above. */}
          <div className="sticky bottom-0 z-10 flex justify-end border-line border-t bg-surface px-4 py-3">
            <Button variant="primary" name="intent" value="save-keychain" pending={submitting}>
              Save
            </Button>
          </div>
        </Card>
      </OrganizationForm>
    </div>
  )
}

function validate(fields: Partial<KeychainFields>) {
  const problems = Object.entries(keychainProblems(fields)).map(([name, problem]) => [name, [problem]])
  return problems.length > 0 ? { error: Object.fromEntries(problems) } : { value: fields }
}
