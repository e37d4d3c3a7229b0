import { type SubmissionResult, useForm } from '@conform-to/react'
import { Form, useNavigation } from '@remix-run/react'
import { useState } from 'react'
import { lengths } from '../../../contract/limits'
import type { SourceView } from '../../../contract/source'
import { ConfirmDialog } from '../ui/confirm-dialog'
import { Dialog } from '../ui/dialog'
import { DialogActions } from '../ui/dialog-actions'
import { TextField } from '../ui/field'
import { FormProblem } from '../ui/form-problem'
import { formatCount } from '../ui/format'

interface DialogProps {
  closeTo: string
  lastResult: SubmissionResult<string[]> | undefined
}

const kinds = [
  {
    value: 'domain',
    label: 'Domain',
    text: 'A whole site: links are followed within its host.',
    example: 'example.com',
    hint: 'The domain, with a subdomain where there is one. What follows it is left out.',
  },
  {
    value: 'sitemap',
    label: 'Sitemap',
    text: 'The addresses that a sitemap lists.',
    example: 'https://example.com/sitemap.xml',
    hint: 'Only XML sitemaps are supported.',
  },
  {
    value: 'url',
    label: 'URL',
    text: 'One page.',
    example: 'https://example.com/about',
    hint: 'The full address of the page.',
  },
] as const

export function AddSource({ closeTo, lastResult }: DialogProps) {
  const navigation = useNavigation()
  const [form, fields] = useForm<{ type: string; url: string; name: string }>({
    id: 'add-source',
    lastResult,
    defaultValue: { type: 'domain' },
  })
  const [type, setType] = useState(String(fields.type.initialValue ?? 'domain'))
  const kind = kinds.find((one) => one.value === type) ?? kinds[0]
  return (
    <Dialog
      title="Add a source"
      description="Its pages are read at once. The type cannot be changed later."
      closeTo={closeTo}
    >
      <Form method="post" id={form.id} noValidate data-guard className="grid gap-4">
        <FormProblem errors={form.errors} />
        <fieldset className="grid gap-2 sm:grid-cols-3">
          <legend className="mb-1 font-[550]">Type</legend>
          {kinds.map((one) => (
            <label
              key={one.value}
              className="flex cursor-pointer items-start gap-2 rounded-small border border-line px-3 py-2 hover:bg-sunken has-checked:border-accent has-checked:bg-accent-soft"
            >
              <input
                type="radio"
                name={fields.type.name}
                value={one.value}
                defaultChecked={one.value === type}
                onChange={() => setType(one.value)}
                className="mt-1"
              />
              <span>
                <span className="block font-[570]">{one.label}</span>
                <span className="block text-small text-soft">{one.text}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <TextField
          field={fields.url}
          label="Address"
          required
          placeholder={kind.example}
          hint={kind.hint}
          autoComplete="url"
        />
        <TextField
          field={fields.name}
          label="Name"
          maxLength={lengths.sourceName}
          hint="Left empty, the site's name is taken."
        />
        <DialogActions
          closeTo={closeTo}
          submit="Add source"
          intent="add-source"
          pending={navigation.state !== 'idle'}
        />
      </Form>
    </Dialog>
  )
}

export function RenameSource({ source, closeTo, lastResult }: DialogProps & { source: SourceView }) {
  const navigation = useNavigation()
  const [form, fields] = useForm<{ name: string }>({
    id: `rename-${source.id}`,
    lastResult,
    defaultValue: { name: source.name },
  })
  return (
    <Dialog title="Rename source" closeTo={closeTo}>
      <Form method="post" id={form.id} noValidate data-guard className="grid gap-4">
        <input type="hidden" name="id" value={source.id} />
        <FormProblem errors={form.errors} />
        <TextField field={fields.name} label="Name" required maxLength={lengths.sourceName} />
        <DialogActions closeTo={closeTo} submit="Save" intent="rename-source" pending={navigation.state !== 'idle'} />
      </Form>
    </Dialog>
  )
}

export function DeleteSource({ source, closeTo }: { source: SourceView; closeTo: string }) {
  return (
    <ConfirmDialog
      title={`Delete ${source.name}?`}
      confirm="Delete source"
      closeTo={closeTo}
      values={{ intent: 'delete-source', id: source.id }}
    >
      <p>
        Its {formatCount(source.addresses)} addresses and their fragments are deleted with it and are no longer found.
        The website itself, other sources and threads stay. This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}
