import type { ReactNode } from 'react'
import type { CatalogueView, InstalledModelsView } from '../../../contract/views/model'
import { CopyButton } from '../copy-button'
import { Card, CardHead } from '../ui/card'
import { formatBytes, formatCount, formatCounted } from '../ui/format'

/** The models that this installation has, and those that it can pull. They are changed on the command line. */
export function ModelsCard({ models: { installed, available } }: { models: InstalledModelsView }) {
  const total = installed.reduce((sum, { collections }) => sum + collections, 0)
  return (
    <Card label="Models" className="mt-5">
      <CardHead title="Models" count={formatCount(installed.length)} />
      <ul aria-label="Installed">
        {installed.map((model) => (
          <Row key={model.name} name={model.name} facts={installedFacts(model)}>
            {commandsFor(model, total).map((text) => (
              <Command key={text} text={text} />
            ))}
          </Row>
        ))}
      </ul>
      <p className="border-t border-line px-4 py-3 text-meta text-soft">
        More models can be pulled by a command on this server. A collection gets one on its own page, or all do by{' '}
        <code>sitelore models switch</code>; EMBEDDING_MODEL names the one that new collections get. RERANKER_MODEL
        names the one that reorders search results. Languages, sizes and licenses are those that the publishers state.
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
        <p className="font-medium">{name}</p>
        <p className="text-meta text-soft">{facts.join(' · ')}</p>
      </div>
      {children}
    </li>
  )
}

type InstalledModel = InstalledModelsView['installed'][number]

function installedFacts(model: InstalledModel): string[] {
  const { kind, languages, dimensions, bytes, license, problem, collections, is_default: isDefault } = model
  if (problem !== null) return [problem]
  return [
    ...(isDefault ? [kind === 'reranker' ? 'in use' : 'the default'] : []),
    ...(kind === 'reranker' ? [] : [formatCounted(collections, 'collection')]),
    languages ?? 'languages unknown',
    kind === 'reranker'
      ? 'reranker'
      : dimensions === null
        ? 'dimensions unknown'
        : `${formatCount(dimensions)} dimensions`,
    formatBytes(bytes),
    ...(license === null ? [] : [license]),
  ]
}

function availableFacts(model: CatalogueView): string[] {
  return [
    model.languages,
    model.dimensions === null ? 'reranker' : `${formatCount(model.dimensions)} dimensions`,
    formatBytes(model.disk_bytes),
    model.license,
    ...(model.is_tested ? [] : ['not tested']),
  ]
}

function commandsFor(
  { name, kind, origin, is_default: isDefault, collections, problem }: InstalledModel,
  total: number,
) {
  const mayRemove = origin !== 'bundled' && !isDefault && collections === 0
  return [
    ...(kind === 'embedding' && problem === null && collections < total ? [`sitelore models switch ${name}`] : []),
    ...(mayRemove ? [`sitelore models remove ${name}`] : []),
  ]
}

function Command({ text }: { text: string }) {
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1">
      <code className="min-w-0 text-meta wrap-anywhere">{text}</code>
      <CopyButton text={text} />
    </span>
  )
}
