import { type SubmissionResult, useForm } from '@conform-to/react'
import { useNavigate } from '@remix-run/react'
import type { FormEvent } from 'react'
import { lengths } from '../../../../contract/values/limits'
import type { FileView, SourceView } from '../../../../contract/views/source'
import { paths } from '../../../paths'
import { useToast } from '../../notifications/context'
import { Dialog } from '../../ui/dialogs/dialog'
import { DialogActions } from '../../ui/dialogs/dialog-actions'
import { TextField } from '../../ui/forms/field'
import { FormProblem } from '../../ui/forms/form-problem'
import { OrganizationForm } from '../../ui/forms/organization-form'
import { useSubmitting } from '../../ui/forms/use-submitting'
import { FileField } from '../files/file-field'
import { FileLine } from '../files/file-line'
import { StopUpload } from '../files/stop-upload'
import { useUpload } from '../files/use-upload'

interface EditFileSourceProps {
  source: SourceView
  file: FileView
  closeTo: string
  lastResult: SubmissionResult<string[]> | undefined
}

/** Edits the name of a file source, or replaces its file. */
export function EditFileSource({ source, file, closeTo, lastResult }: EditFileSourceProps) {
  const submitting = useSubmitting()
  const navigate = useNavigate()
  const toast = useToast()
  const upload = useUpload({ several: false })
  const [form, fields] = useForm<{ name: string; file: string }>({
    id: `edit-${source.id}`,
    lastResult,
    defaultValue: { name: source.name },
  })

  async function submit(event: FormEvent<HTMLFormElement>) {
    if (upload.files.length === 0) return
    event.preventDefault()
    if (upload.sending) return
    const name = String(new FormData(event.currentTarget).get('name') ?? '')
    if (!(await upload.send(paths.collectionUpload(source.collection_id, source.id), { name }))) return
    toast('success', 'Source edited successfully')
    navigate(closeTo, { replace: true, preventScrollReset: true })
  }

  return (
    <Dialog
      title="Edit source"
      description="Sitelore reads a new file right away, and then replaces this one."
      closeTo={closeTo}
    >
      <OrganizationForm
        replace
        encType="multipart/form-data"
        id={form.id}
        noValidate
        data-guard
        onSubmit={submit}
        className="grid gap-4"
      >
        <input type="hidden" name="id" value={source.id} />
        <FormProblem errors={form.errors} />
        <p className="break-all rounded-small bg-sunken px-3 py-2">
          <FileLine source={source} file={file} />
        </p>
        <TextField field={fields.name} label="Name" required maxLength={lengths.sourceName} />
        <FileField field={fields.file} label="New file" upload={upload} />
        <DialogActions closeTo={closeTo} submit="Save" intent="edit-source" pending={upload.sending || submitting}>
          <StopUpload upload={upload} />
        </DialogActions>
      </OrganizationForm>
    </Dialog>
  )
}
