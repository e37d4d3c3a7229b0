import { type SubmissionResult, useForm } from '@conform-to/react'
import { Form, useNavigation } from '@remix-run/react'
import { Eye, Square } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { lengths } from '../../../contract/limits'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { DialogActions } from '../ui/dialog-actions'
import { TextField } from '../ui/field'
import { FormProblem } from '../ui/form-problem'
import { PreviewPanel } from './preview-panel'
import { type OptionValues, withWholeFields } from './source-form'
import { SourceOptions } from './source-options'
import { kinds, TypeChoice } from './type-choice'
import { usePreview } from './use-preview'

interface AddSourceProps {
  collectionId: string
  closeTo: string
  lastResult: SubmissionResult<string[]> | undefined
}

export function AddSource({ collectionId, closeTo, lastResult }: AddSourceProps) {
  const navigation = useNavigation()
  const element = useRef<HTMLFormElement>(null)
  const { preview, outdated, result, changed, start, stop, leave } = usePreview(collectionId)
  const [form, fields] = useForm<OptionValues & { type: string; url: string; name: string }>({
    id: 'add-source',
    lastResult: useMemo(() => withWholeFields(result ?? lastResult), [result, lastResult]),
    defaultValue: { type: 'domain', refresh_interval: 'weekly' },
  })
  const [type, setType] = useState(String(fields.type.initialValue ?? 'domain'))
  const running = preview?.phase === 'running'
  const kind = kinds.find((one) => one.value === type) ?? kinds[0]
  return (
    <Dialog
      title="Add a source"
      description="Its pages are read at once. The type cannot be changed later."
      closeTo={closeTo}
      wide
    >
      <Form
        ref={element}
        method="post"
        id={form.id}
        noValidate
        data-guard
        onInput={changed}
        onSubmit={leave}
        className="grid gap-4 [&_:is(input,select,textarea)]:scroll-mb-24"
      >
        <FormProblem errors={form.errors} />
        <TypeChoice field={fields.type} value={type} onChoose={setType} />
        <div className="grid gap-4 sm:grid-cols-2">
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
        </div>
        <SourceOptions fields={fields} />
        {preview && <PreviewPanel preview={preview} outdated={outdated} />}
        <div className="-mx-5 -mb-5 sticky bottom-0 border-line border-t bg-surface px-5 pb-4 *:!mt-4">
          <DialogActions
            closeTo={closeTo}
            submit="Add source"
            intent="add-source"
            pending={navigation.state !== 'idle' && navigation.formMethod === 'POST'}
          >
            <Button
              type="button"
              className="needs-script"
              onClick={() => (running ? stop() : element.current && start(element.current))}
            >
              {running ? <Square aria-hidden="true" /> : <Eye aria-hidden="true" />}
              {running ? 'Stop' : preview ? 'Preview again' : 'Preview'}
            </Button>
          </DialogActions>
        </div>
      </Form>
    </Dialog>
  )
}
