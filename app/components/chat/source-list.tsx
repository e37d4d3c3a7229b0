import type { FragmentView } from '../../../contract/views/fragment'
import { placeOf } from '../search/passage'
import { Passage } from '../search/passage-link'
import { shortAddress } from '../ui/format'

interface SourceListProps {
  fragments: FragmentView[]
  /** Numbers of fragments, in the order in which they are listed. */
  cited: number[]
}

/** The cards of the fragments that an answer cites. */
export function SourceList({ fragments, cited }: SourceListProps) {
  const sources = cited.flatMap((number) => {
    const fragment = fragments[number - 1]
    return fragment ? { number, fragment } : []
  })
  if (sources.length === 0) return null
  return (
    <details className="mt-3" open={sources.length <= 4}>
      <summary className="inline-block rounded-small text-small font-[550] text-soft hover:text-text">
        {sources.length === 1 ? '1 source' : `${sources.length} sources`}
      </summary>
      <ol className="mt-2 grid grid-cols-1 gap-2 sm:grid-cols-2">
        {sources.map(({ number, fragment }) => (
          <li key={fragment.id}>
            <Passage
              fragment={fragment}
              className="block h-full rounded-medium border border-line px-3 py-2 text-text"
              linkClassName="no-underline hover:bg-sunken"
            >
              <span className="block truncate text-[0.8438rem] font-[550]">
                <b className="mr-1.5 text-accent-strong">{number}</b>
                {fragment.title || shortAddress(fragment.url)}
              </span>
              <span className="block truncate text-small text-soft">{placeOf(fragment)}</span>
            </Passage>
          </li>
        ))}
      </ol>
    </details>
  )
}
