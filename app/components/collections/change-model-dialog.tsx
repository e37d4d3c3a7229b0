import { type SubmissionResult, useForm } from '@conform-to/react'
import { useNavigation } from '@remix-run/react'
import type { EmbeddingModelView } from '../../../contract/views/embedding-model'
import { Dialog } from '../ui/dialogs/dialog'
import { DialogActions } from '../ui/dialogs/dialog-actions'
import { formatCount } from '../ui/format'
import { FormProblem } from '../ui/forms/form-problem'
import { OrganizationForm } from '../ui/forms/organization-form'
import { SelectField } from '../ui/forms/select-field'
import { languagesLine } from './embedding-model-texts'

interface ChangeModelDialogProps {
  collection: { id: string; name: string; fragments: number }
  model: EmbeddingModelView
  closeTo: string
  lastResult: SubmissionResult<string[]> | undefined
}

/** Asks for another embedding model of a collection. */
export function ChangeModelDialog({ collection, model, closeTo, lastResult }: ChangeModelDialogProps) {
  const navigation = useNavigation()
  const suggested = model.choices.find((choice) => choice.is_multilingual) ?? model.choices[0]
  const [form, fields] = useForm<{ model: string }>({
    id: `model-${collection.id}`,
    lastResult,
    defaultValue: { model: suggested?.name ?? '' },
  })
  if (model.choices.length === 0) return <NoChoice closeTo={closeTo} />
  const hasService = model.choices.some((choice) => choice.is_service)
  return (
    <Dialog
      title="Change the embedding model"
      description={`All ${formatCount(collection.fragments)} fragments of ${collection.name} are embedded again in the background. Searches read the present index until the new one is complete.`}
      closeTo={closeTo}
    >
      <OrganizationForm replace id={form.id} noValidate className="grid gap-4">
        <input type="hidden" name="id" value={collection.id} />
        <FormProblem errors={form.errors} />
        <SelectField
          field={fields.model}
          label="Model"
          required
          isFocused
          options={model.choices.map((choice) => ({
            value: choice.name,
            label: `${choice.name} (${languagesLine(choice)})`,
          }))}
          hint={
            hasService
              ? `A service would embed about ${formatCount(model.tokens)} tokens, which it may charge for.`
              : undefined
          }
        />
        <DialogActions
          closeTo={closeTo}
          submit="Change model"
          intent="change-model"
          pending={navigation.state !== 'idle'}
        />
      </OrganizationForm>
    </Dialog>
  )
}

function NoChoice({ closeTo }: { closeTo: string }) {
  return (
    <Dialog
      title="Change the embedding model"
      description="No other model is installed. Whoever operates this server can install one: sitelore models pull, followed by the name of a model, such as intfloat/multilingual-e5-small."
      closeTo={closeTo}
    >
      {null}
    </Dialog>
  )
}
