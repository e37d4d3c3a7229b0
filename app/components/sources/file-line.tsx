import type { FileView } from '../../../contract/file-source'
import type { SourceView } from '../../../contract/source'
import { paths } from '../../paths'
import { formatBytes } from '../ui/format'

/** The file of a source, with the way to save it. */
export function FileLine({ source, file }: { source: SourceView; file: FileView }) {
  return (
    <>
      {file.type.toUpperCase()} · {source.file_name} · {formatBytes(file.bytes)} ·{' '}
      <a
        href={paths.sourceFile(source.collection_id, source.id)}
        download
        aria-label={`Download ${source.file_name}`}
        className="text-accent-strong hover:underline"
      >
        Download
      </a>
    </>
  )
}
