import type { FragmentView } from '../../../contract/views/fragment'
import { placeOf, shortAddress } from '../search/passage'
import { Passage } from '../search/passage-link'

/** The fragments that an answer cites, by number. */
export function SourceList({ fragments }: { fragments: FragmentView[] }) {
  if (fragments.length === 0) return null
  return (
    <details className="mt-3" open={fragments.length <= 4}>
      <summary className="inline-block rounded-small text-small font-[550] text-soft hover:text-text">
        {fragments.length === 1 ? '1 source' : `${fragments.length} sources`}
      </summary>
      <ol className="mt-2 grid gap-2 sm:grid-cols-2">
        {fragments.map((fragment, index) => (
          <li key={fragment.id}>
            <Passage
              fragment={fragment}
              className="block h-full rounded-medium border border-line px-3 py-2 text-text"
              linkClassName="no-underline hover:bg-sunken"
            >
              <span className="block truncate text-[0.8438rem] font-[550]">
                <b className="mr-1.5 text-accent-strong">{index + 1}</b>
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
