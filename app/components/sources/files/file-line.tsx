import type { FileView, SourceView } from '../../../../contract/views/source'
import { paths } from '../../../paths'
import { formatBytes } from '../../ui/format'

/** Type, name and size of a source's file, with its download. */
export function FileLine({ source, file }: { source: SourceView; file: FileView }) {
  const names = source.file_name && source.file_name !== source.name ? [source.file_name] : []
  return (
    <>
      {[file.type.toUpperCase(), ...names, formatBytes(file.bytes)].join(' · ')} ·{' '}
      <a
        href={paths.sourceFile(source.collection_id, source.id)}
        download
        aria-label={`Download ${source.file_name}`}
        className="whitespace-nowrap text-accent-strong underline"
      >
        Download
      </a>
    </>
  )
}
