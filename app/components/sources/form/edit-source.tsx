import { type SubmissionResult, useForm } from '@conform-to/react'
import { useMemo, useRef } from 'react'
import { sourceTypeLabels } from '../../../../contract/values/enumerations'
import { lengths } from '../../../../contract/values/limits'
import type { SourceView } from '../../../../contract/views/source'
import { Dialog } from '../../ui/dialogs/dialog'
import { DialogActions } from '../../ui/dialogs/dialog-actions'
import { TextField } from '../../ui/forms/field'
import { FormProblem } from '../../ui/forms/form-problem'
import { OrganizationForm } from '../../ui/forms/organization-form'
import { useSubmitting } from '../../ui/forms/use-submitting'
import { PreviewPanel } from '../preview/panel'
import { PreviewButton } from '../preview/preview-button'
import { usePreview } from '../preview/use-preview'
import { mergeLineErrors, type OptionValues, toFormValues } from './form-values'
import { SourceOptions } from './source-options'

interface EditSourceProps {
  source: SourceView
  closeTo: string
  lastResult: SubmissionResult<string[]> | undefined
}

export function EditSource({ source, closeTo, lastResult }: EditSourceProps) {
  const submitting = useSubmitting()
  const element = useRef<HTMLFormElement>(null)
  const { preview, outdated, result, changed, start, stop, finish } = usePreview(source.collection_id)
  const [form, fields] = useForm<OptionValues & { name: string }>({
    id: `edit-${source.id}`,
    lastResult: useMemo(() => mergeLineErrors(result ?? lastResult), [result, lastResult]),
    defaultValue: { name: source.name, ...toFormValues(source.options) },
  })
  return (
    <Dialog
      title="Edit source"
      description="New options apply from the next refresh. You can't change the type or the address."
      closeTo={closeTo}
      wide
    >
      <OrganizationForm
        ref={element}
        replace
        id={form.id}
        noValidate
        data-guard
        onInput={changed}
        onSubmit={finish}
        className="grid gap-4"
      >
        <input type="hidden" name="id" value={source.id} />
        <FormProblem errors={form.errors} />
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 rounded-small bg-sunken px-3 py-2">
          <dt className="text-soft">Type</dt>
          <dd>{sourceTypeLabels[source.type]}</dd>
          <dt className="text-soft">Address</dt>
          <dd className="break-all">{source.url ?? source.file_name}</dd>
          {source.start_path && (
            <>
              <dt className="text-soft">Starts at</dt>
              <dd className="break-all">{source.start_path}</dd>
            </>
          )}
        </dl>
        <TextField field={fields.name} label="Name" required maxLength={lengths.sourceName} />
        <SourceOptions fields={fields} storedHeaders={source.options.header_names} open />
        {preview && <PreviewPanel preview={preview} outdated={outdated} />}
        <DialogActions closeTo={closeTo} submit="Save" intent="edit-source" pending={submitting}>
          <PreviewButton control={{ preview, start, stop }} form={element} />
        </DialogActions>
      </OrganizationForm>
    </Dialog>
  )
}
