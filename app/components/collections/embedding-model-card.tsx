import { useSearchParams } from '@remix-run/react'
import { CircleStop, Pause, Play } from 'lucide-react'
import type { EmbeddingModelView, ModelChangeView } from '../../../contract/views/embedding-model'
import { reasons } from '../roles'
import { AllowedLink } from '../ui/allowed'
import { withQuery } from '../ui/browser/query'
import { buttonClasses } from '../ui/button'
import { Card, CardHead } from '../ui/card'
import { Progress } from '../ui/feedback/progress'
import { IntentButton } from '../ui/menus/intent-button'
import { languagesLine, modelChangeLine } from './embedding-model-texts'

interface EmbeddingModelCardProps {
  collection: { id: string; name: string }
  model: EmbeddingModelView
  mayEdit: boolean
}

/** The embedding model of a collection, and how far a change of it is. */
export function EmbeddingModelCard({ collection, model, mayEdit }: EmbeddingModelCardProps) {
  const [search] = useSearchParams()
  return (
    <Card label="Embedding model">
      <CardHead title="Embedding model">
        {!model.change && (
          <AllowedLink
            allowed={mayEdit}
            reason={reasons.viewer}
            to={withQuery(search, { dialog: 'embedding-model' })}
            label={`Change model of ${collection.name}`}
          >
            Change model
          </AllowedLink>
        )}
      </CardHead>
      <div className="grid gap-1 px-4 py-3">
        <p className="font-medium wrap-anywhere">{model.name}</p>
        <p className="text-meta text-soft">{languagesLine(model)}</p>
        {model.problem !== null && (
          <p className="text-meta text-warning">
            {model.problem} Until the model works, the collection is searched by keywords.
          </p>
        )}
      </div>
      {model.change && <Change collection={collection} change={model.change} mayEdit={mayEdit} />}
    </Card>
  )
}

interface ChangeProps {
  collection: { id: string; name: string }
  change: ModelChangeView
  mayEdit: boolean
}

function Change({ collection: { id, name }, change, mayEdit }: ChangeProps) {
  const { model, state, done, total, problem } = change
  const forbidden = mayEdit ? null : reasons.viewer
  const isPaused = state === 'paused'
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3 border-t border-line px-4 py-3">
      <div className="grid min-w-0 flex-1 basis-72 gap-1.5">
        <Progress label={`Change to ${model}`} done={done} total={state === 'removing' ? 0 : total} />
        <p role="status" className="text-meta text-soft wrap-anywhere tabular-nums">
          {modelChangeLine(change)}
        </p>
        {problem !== null && <p className="text-meta text-warning">{problem}</p>}
      </div>
      {state !== 'removing' && (
        <div className="flex flex-wrap gap-2">
          <IntentButton
            id={id}
            intent={isPaused ? 'resume-model-change' : 'pause-model-change'}
            icon={isPaused ? Play : Pause}
            label={`${isPaused ? 'Resume' : 'Pause'} the change of ${name}`}
            reason={forbidden}
            className={buttonClasses('plain')}
          >
            {isPaused ? 'Resume' : 'Pause'}
          </IntentButton>
          <IntentButton
            id={id}
            intent="cancel-model-change"
            icon={CircleStop}
            label={`Cancel the change of ${name}`}
            reason={forbidden}
            className={buttonClasses('plain')}
          >
            Cancel
          </IntentButton>
        </div>
      )}
    </div>
  )
}
