import type { ReactNode } from 'react'
import { isWeb } from '../../../contract/texts/pages/place-in-file'
import type { FragmentView, PassageView } from '../../../contract/views/chat/fragment'
import type { CitedSource } from '../../../contract/views/chat/thread'
import { placeOf } from '../passages/passage'
import { Passage } from '../passages/passage-link'
import { Marked } from '../passages/passage-text'
import { shortAddress } from '../ui/format'

const cardClasses = 'block h-full rounded-medium border border-line px-3 py-2 text-text'
const linkClasses = 'no-underline hover:bg-sunken'

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
  return (
    <Cards count={sources.length}>
      {sources.map(({ number, fragment }) => (
        <li key={fragment.id}>
          <Passage fragment={fragment} className={cardClasses} linkClassName={linkClasses}>
            <CardText number={number} source={fragment} passage={fragment.passage ?? null} />
          </Passage>
        </li>
      ))}
    </Cards>
  )
}

/** The same for readers who are not in the organization: a file is named, and cannot be opened. */
export function SharedSources({ sources }: { sources: CitedSource[] }) {
  return (
    <Cards count={sources.length}>
      {sources.map((source) => (
        <li key={source.number}>
          {isWeb(source.link) ? (
            <a href={source.link} target="_blank" rel="noopener nofollow" className={`${cardClasses} ${linkClasses}`}>
              <CardText number={source.number} source={source} passage={source.passage} />
            </a>
          ) : (
            <span className={cardClasses}>
              <CardText number={source.number} source={source} passage={source.passage} />
            </span>
          )}
        </li>
      ))}
    </Cards>
  )
}

function Cards({ count, children }: { count: number; children: ReactNode }) {
  if (count === 0) return null
  return (
    <details className="mt-3" open={count <= 4}>
      <summary className="inline-block rounded-small text-small font-[550] text-soft hover:text-text">
        {count === 1 ? '1 source' : `${count} sources`}
      </summary>
      <ol className="mt-2 grid grid-cols-1 gap-2 sm:grid-cols-2">{children}</ol>
    </details>
  )
}

interface CardTextProps {
  number: number
  source: Pick<FragmentView, 'title' | 'url' | 'link'>
  passage: PassageView | null
}

function CardText({ number, source, passage }: CardTextProps) {
  return (
    <>
      <span className="block truncate text-[0.8438rem] font-[550]">
        <b className="mr-1.5 text-accent-strong">{number}</b>
        {source.title || shortAddress(source.url)}
      </span>
      <span className="block truncate text-small text-soft">{placeOf(source)}</span>
      {passage && (
        <span className="mt-1 line-clamp-3 break-words text-small">
          <Marked part={{ text: passage.text, start: 0 }} passage={passage} />
        </span>
      )}
    </>
  )
}
