import { X } from 'lucide-react'
import { type DragEvent, useState } from 'react'
import { fileTexts, fileTypes } from '../../../../contract/sources/file'
import { useHydrated } from '../../ui/browser/use-hydrated'
import { Button } from '../../ui/button'
import { classes } from '../../ui/classes'
import { Progress } from '../../ui/feedback/progress'
import { formatBytes } from '../../ui/format'
import { FieldFrame, type FormField } from '../../ui/forms/field'
import { fileIndexingNote, useIndexingRate } from '../indexing-time'
import type { ChosenFile, Upload } from './use-upload'

interface FileFieldProps {
  field: FormField
  label: string
  required?: boolean
  several?: boolean
  /** An error in addition to those of the form. */
  problem?: string
  upload: Upload
}

const extensions = fileTypes.map((type) => `.${type}`).join(',')

/** A field for files, with drag and drop. Without a script it is the browser's own control, for one file. */
export function FileField({ field, label, required, several = false, problem, upload }: FileFieldProps) {
  const hydrated = useHydrated()
  const [isDragOver, setIsDragOver] = useState(false)

  const { id, name, formId, descriptionId, errorId } = field
  const error = upload.rejected ?? problem
  const errors = error === undefined ? field.errors : [error]

  function drop(event: DragEvent) {
    event.preventDefault()
    setIsDragOver(false)
    upload.add(event.dataTransfer.files)
  }

  return (
    <FieldFrame
      field={{ id, name, formId, descriptionId, errorId, errors }}
      label={label}
      required={required}
      hint={`${fileTexts.hint} ${fileTexts.types}`}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the input inside takes keys and clicks. */}
      <div
        onDragOver={(event) => {
          event.preventDefault()
          setIsDragOver(true)
        }}
        onDragLeave={() => setIsDragOver(false)}
        onDrop={drop}
        className={classes(
          'grid gap-2 rounded-small border border-dashed px-3 py-3',
          isDragOver ? 'border-accent bg-accent-soft' : 'border-line-strong',
        )}
      >
        <input
          id={id}
          name={name}
          form={formId}
          type="file"
          accept={extensions}
          multiple={hydrated && several}
          disabled={upload.sending}
          aria-invalid={errors ? true : undefined}
          aria-describedby={[descriptionId, errors && errorId].filter(Boolean).join(' ')}
          onChange={({ currentTarget }) => {
            upload.add(currentTarget.files ?? [])
            // The list below shows the files, and the same file can be chosen again.
            currentTarget.value = ''
          }}
          className={classes(
            // The list below shows the names.
            hydrated ? 'text-transparent' : 'text-soft',
            'w-full file:mr-3 file:rounded-small file:border file:border-line-strong file:bg-surface file:px-3 file:py-1.5 file:font-medium file:text-text hover:file:bg-sunken',
          )}
        />
        <p className="needs-script text-meta text-soft">
          {several ? 'Or drop files here. Each becomes a source.' : 'Or drop a file here.'}
        </p>
        {upload.files.length > 0 && (
          <ul aria-label="Chosen files" className="grid gap-1.5">
            {upload.files.map((chosen) => (
              <ChosenFileItem
                key={chosen.key}
                chosen={chosen}
                sending={upload.sending}
                remove={() => upload.remove(chosen.key)}
              />
            ))}
          </ul>
        )}
      </div>
    </FieldFrame>
  )
}

function ChosenFileItem({ chosen, sending, remove }: { chosen: ChosenFile; sending: boolean; remove(): void }) {
  const { file, state, sent, problem } = chosen
  const note = fileIndexingNote(file, useIndexingRate())
  return (
    <li className="grid gap-1 rounded-small bg-sunken px-3 py-1.5">
      <div className="flex items-center justify-between gap-3">
        <p className="min-w-0 break-all font-medium">
          {file.name} <span className="font-normal text-meta text-soft">{formatBytes(file.size)}</span>
        </p>
        {state === 'stored' ? (
          <span className="text-meta text-success">Uploaded</span>
        ) : (
          !sending && (
            <Button
              type="button"
              variant="quiet"
              className="!px-1.5"
              aria-label={`Remove ${file.name}`}
              onClick={remove}
            >
              <X aria-hidden="true" />
            </Button>
          )
        )}
      </div>
      {state === 'sending' && (
        <>
          <Progress label={`Upload of ${file.name}`} done={sent} total={file.size} />
          <p className="text-meta text-soft tabular-nums">
            {sent < file.size ? `${formatBytes(sent)} of ${formatBytes(file.size)}` : 'Being stored'}
          </p>
        </>
      )}
      {state === 'waiting' && note && <p className="text-meta text-soft">{note}</p>}
      {state === 'stopped' && (
        <p role="status" className="text-meta text-soft">
          Stopped
        </p>
      )}
      {problem && (
        <p role="alert" className="text-meta font-medium text-danger">
          {problem}
        </p>
      )}
    </li>
  )
}
