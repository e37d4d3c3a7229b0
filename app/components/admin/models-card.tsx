import type { ReactNode } from 'react'
import type { CatalogueView, ModelsView, ModelView } from '../../../contract/views/model'
import { CopyButton } from '../copy-button'
import { Card, CardHead } from '../ui/card'
import { formatBytes, formatCount } from '../ui/format'

/** The embedding models that this installation has, and those that it can pull. They are changed on the command line. */
export function ModelsCard({ models: { installed, available } }: { models: ModelsView }) {
  return (
    <Card label="Embedding models" className="mt-5">
      <CardHead title="Embedding models" count={formatCount(installed.length)} />
      <ul aria-label="Installed">
        {installed.map((model) => (
          <Row key={model.name} name={model.name} facts={installedFacts(model)}>
            {actionOf(model)}
          </Row>
        ))}
      </ul>
      <p className="border-t border-line px-4 py-3 text-small text-soft">
        More models can be pulled. Run a command on this server, set EMBEDDING_MODEL to the name of the model, and
        restart the server. Languages, sizes and licenses are those that the publishers state.
      </p>
      <ul aria-label="Models to pull">
        {available.map((model) => (
          <Row key={model.id} name={model.id} facts={availableFacts(model)}>
            <Command text={`sitelore models pull ${model.id}`} />
          </Row>
        ))}
      </ul>
    </Card>
  )
}

function Row({ name, facts, children }: { name: string; facts: string[]; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-4 py-3">
      <div className="min-w-0 flex-1 basis-64 wrap-anywhere">
        <p className="font-[550]">{name}</p>
        <p className="text-small text-soft">{facts.join(' · ')}</p>
      </div>
      {children}
    </li>
  )
}

function installedFacts({ languages, dimensions, bytes, license, problem }: ModelView): string[] {
  if (problem !== null) return [problem]
  return [
    languages ?? 'languages unknown',
    dimensions === null ? 'dimensions unknown' : `${formatCount(dimensions)} dimensions`,
    formatBytes(bytes),
    ...(license === null ? [] : [license]),
  ]
}

function availableFacts(model: CatalogueView): string[] {
  return [
    model.languages,
    `${formatCount(model.dimensions)} dimensions`,
    formatBytes(model.disk_bytes),
    model.license,
    ...(model.is_tested ? [] : ['not tested']),
  ]
}

function actionOf({ name, origin, is_default: isDefault }: ModelView): ReactNode {
  if (isDefault) return <span className="text-small text-soft">In use</span>
  return origin === 'bundled' ? null : <Command text={`sitelore models remove ${name}`} />
}

function Command({ text }: { text: string }) {
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1">
      <code className="min-w-0 text-small wrap-anywhere">{text}</code>
      <CopyButton text={text} />
    </span>
  )
}
