import type { CatalogueView, ModelsView, ModelView } from '../../../contract/views/model'
import { CopyButton } from '../copy-button'
import { Card, CardHead } from '../ui/card'
import { formatBytes, formatCount } from '../ui/format'
import { Cell, type Column, NameCell, Table } from '../ui/tables/table'

const columns: Column[] = [
  { title: 'Model' },
  { title: 'Languages', width: 'w-48' },
  { title: 'Dimensions', width: 'w-28', number: true },
  { title: 'Size', width: 'w-24', number: true },
  { title: 'License', width: 'w-36', extra: true },
  { title: 'Command', width: 'w-44' },
]

/** The embedding models that this installation has, and those that it can pull. They are changed on the command line. */
export function ModelsCard({ models: { installed, available } }: { models: ModelsView }) {
  return (
    <Card label="Embedding models" className="mt-5">
      <CardHead title="Embedding models" count={formatCount(installed.length)} />
      <Table label="Embedding models" columns={columns}>
        {installed.map((model) => (
          <InstalledRow key={model.name} model={model} />
        ))}
        {available.map((model) => (
          <AvailableRow key={model.id} model={model} />
        ))}
      </Table>
      <p className="border-t border-line px-4 py-3 text-small text-soft">
        Run the commands on this server. To use a model, set EMBEDDING_MODEL to its name and restart the server.
        Languages and sizes of models that are not installed are those that their publishers state.
      </p>
    </Card>
  )
}

function InstalledRow({ model }: { model: ModelView }) {
  const { name, origin, is_default: isDefault, languages, dimensions, bytes, license, problem } = model
  return (
    <tr>
      <NameCell name={name} />
      <Cell label="Languages" card={problem === null ? undefined : 'line'}>
        {problem ?? languages ?? 'Unknown'}
      </Cell>
      <Cell label="Dimensions" number>
        {dimensions === null ? 'Unknown' : formatCount(dimensions)}
      </Cell>
      <Cell label="Size" number>
        {formatBytes(bytes)}
      </Cell>
      <Cell extra>{license ?? 'Unknown'}</Cell>
      <Cell label="Command">
        {isDefault ? (
          'In use'
        ) : origin === 'bundled' ? (
          'Installed'
        ) : (
          <Command text={`sitelore models remove ${name}`} verb="remove" />
        )}
      </Cell>
    </tr>
  )
}

function AvailableRow({ model }: { model: CatalogueView }) {
  return (
    <tr>
      <NameCell name={model.id} />
      <Cell label="Languages">{model.languages}</Cell>
      <Cell label="Dimensions" number>
        {formatCount(model.dimensions)}
      </Cell>
      <Cell label="Size" number>
        {formatBytes(model.disk_bytes)}
      </Cell>
      <Cell extra>{model.license}</Cell>
      <Cell label="Command">
        <Command text={`sitelore models pull ${model.id}`} verb="pull" />
      </Cell>
    </tr>
  )
}

function Command({ text, verb }: { text: string; verb: string }) {
  return (
    <span className="inline-flex items-center gap-1" title={text}>
      <code>{verb}</code>
      <CopyButton text={text} label="Copy command" />
    </span>
  )
}
