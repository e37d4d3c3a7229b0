import { type SubmissionResult, useForm } from '@conform-to/react'
import { useNavigate } from '@remix-run/react'
import { type FormEvent, useMemo, useRef, useState } from 'react'
import { lengths } from '../../../../contract/values/limits'
import { paths } from '../../../paths'
import { useToast } from '../../notifications/context'
import { Dialog } from '../../ui/dialogs/dialog'
import { DialogActions } from '../../ui/dialogs/dialog-actions'
import { formatCount } from '../../ui/format'
import { TextField } from '../../ui/forms/field'
import { FormProblem } from '../../ui/forms/form-problem'
import { OrganizationForm } from '../../ui/forms/organization-form'
import { useSubmitting } from '../../ui/forms/use-submitting'
import { FileField } from '../files/file-field'
import { StopUpload } from '../files/stop-upload'
import { useUpload } from '../files/use-upload'
import { PreviewPanel } from '../preview/panel'
import { PreviewButton } from '../preview/preview-button'
import { usePreview } from '../preview/use-preview'
import { mergeLineErrors, type OptionValues } from './form-values'
import { SourceOptions } from './source-options'
import { sourceKinds, TypeChoice } from './type-choice'

// In CSS, by the chosen type, so that it works before and without a script.
const forSites = 'group-has-[[value=file]:checked]/source:hidden'
const forFiles = 'hidden group-has-[[value=file]:checked]/source:block sm:col-span-2'

interface AddSourceProps {
  collectionId: string
  closeTo: string
  lastResult: SubmissionResult<string[]> | undefined
}

export function AddSource({ collectionId, closeTo, lastResult }: AddSourceProps) {
  const submitting = useSubmitting()
  const navigate = useNavigate()
  const toast = useToast()
  const upload = useUpload({ several: true })
  const [noFile, setNoFile] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  const { preview, outdated, result, changed, start, stop, finish } = usePreview(collectionId)
  const [form, fields] = useForm<OptionValues & { type: string; url: string; file: string; name: string }>({
    id: 'add-source',
    lastResult: useMemo(() => mergeLineErrors(result ?? lastResult), [result, lastResult]),
    defaultValue: { type: 'domain', refresh_interval: 'weekly' },
  })
  const [type, setType] = useState(String(fields.type.initialValue ?? 'domain'))
  const kind = sourceKinds.find((known) => known.value === type) ?? sourceKinds[0]

  async function submit(event: FormEvent<HTMLFormElement>) {
    finish()
    if (type !== 'file') return
    event.preventDefault()
    setNoFile(upload.files.length === 0)
    if (upload.files.length === 0 || upload.sending) return
    const name = upload.files.length === 1 ? String(new FormData(event.currentTarget).get('name') ?? '') : ''
    if (!(await upload.send(paths.collectionUpload(collectionId), { type, name }))) return
    const count = upload.files.length
    toast('success', count === 1 ? 'Source added successfully' : `${formatCount(count)} sources added successfully`)
    navigate(closeTo, { replace: true, preventScrollReset: true })
  }

  return (
    <Dialog
      title="Add a source"
      description="Crawling starts right away. You can't change the type later."
      closeTo={closeTo}
      wide
    >
      <OrganizationForm
        ref={element}
        replace
        encType="multipart/form-data"
        id={form.id}
        noValidate
        data-guard
        onInput={changed}
        onSubmit={submit}
        className="group/source grid gap-4 [&_:is(input,select,textarea)]:scroll-mb-24"
      >
        <FormProblem errors={form.errors} />
        <TypeChoice field={fields.type} value={type} onChoose={setType} />
        <div className="grid gap-4 sm:grid-cols-2">
          <div className={forSites}>
            <TextField
              field={fields.url}
              label="Address"
              required
              placeholder={kind.example}
              hint={kind.hint}
              autoComplete="url"
            />
          </div>
          <div className={forFiles}>
            <FileField
              field={fields.file}
              problem={noFile && upload.files.length === 0 ? 'Choose a file.' : undefined}
              label="File"
              required
              several
              upload={upload}
            />
          </div>
          {upload.files.length < 2 && (
            <TextField
              field={fields.name}
              label="Name"
              maxLength={lengths.sourceName}
              hint={`If empty, the name of the ${type === 'file' ? 'file' : 'site'} is used.`}
            />
          )}
        </div>
        <div className={forSites}>
          <SourceOptions fields={fields} />
        </div>
        {preview && type !== 'file' && <PreviewPanel preview={preview} outdated={outdated} />}
        <DialogActions closeTo={closeTo} submit="Add source" intent="add-source" pending={upload.sending || submitting}>
          <StopUpload upload={upload} />
          <PreviewButton control={{ preview, start, stop }} form={element} className={forSites} />
        </DialogActions>
      </OrganizationForm>
    </Dialog>
  )
}
