import type { PreviewSummary } from '../../../../contract/views/preview'
import { formatCount } from '../../ui/format'

const maxFolders = 12

/** Counts of a preview by reason and by folder. */
export function PreviewCounts({ summary: { reasons, folders } }: { summary: PreviewSummary }) {
  if (reasons.length === 0 && folders.length === 0) return null
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <div>
        <h4 className="mb-1 font-medium">Why addresses are excluded</h4>
        {reasons.length === 0 && <p className="text-soft">No addresses are excluded.</p>}
        <ul className="grid gap-1">
          {reasons.map(({ reason, message, count }) => (
            <li key={reason} className="flex gap-2">
              <span className="min-w-8 text-right font-medium tabular-nums">{formatCount(count)}</span>
              <span>{message}</span>
            </li>
          ))}
        </ul>
      </div>
      <table className="w-full border-collapse self-start [&_:is(td,th)]:py-0.5">
        <caption className="mb-1 text-left font-medium">Folders</caption>
        <thead>
          <tr className="text-meta text-soft">
            <th scope="col" className="text-left font-normal">
              Folder
            </th>
            <th scope="col" className="text-right font-normal">
              Included
            </th>
            <th scope="col" className="text-right font-normal">
              Excluded
            </th>
          </tr>
        </thead>
        <tbody>
          {folders.slice(0, maxFolders).map((folder) => (
            <tr key={folder.folder}>
              <td className="break-all">{folder.folder}</td>
              <td className="pl-3 text-right tabular-nums">{formatCount(folder.in)}</td>
              <td className="pl-3 text-right tabular-nums">{formatCount(folder.out)}</td>
            </tr>
          ))}
        </tbody>
        {folders.length > maxFolders && (
          <tfoot>
            <tr>
              <td colSpan={3} className="text-meta text-soft">
                and {formatCount(folders.length - maxFolders)} more
              </td>
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  )
}
