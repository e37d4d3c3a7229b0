import { meterLevel } from '../ui/feedback/meter'

interface TileProps {
  label: string
  value: string
  detail: string
  /** How full it is, from 0 to 1, as a bar. */
  share?: number
}

/** A figure of the installation. */
export function Tile({ label, value, detail, share }: TileProps) {
  return (
    <li className="min-w-0 rounded-large border border-line bg-surface px-4 py-3 shadow-low">
      <p className="text-meta text-soft">{label}</p>
      <p className="mt-0.5 break-words text-title font-semibold leading-8 tabular-nums">{value}</p>
      <p className="text-meta text-soft tabular-nums">{detail}</p>
      {share !== undefined && (
        <progress
          className="bar mt-2"
          aria-label={`${label}: ${value}`}
          max={1}
          value={share}
          data-level={meterLevel(share, 1)}
        />
      )}
    </li>
  )
}
