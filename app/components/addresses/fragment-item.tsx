import { isWeb, placeInFile } from '../../../contract/texts/pages/place-in-file'
import type { AddressFragment } from '../../../contract/views/address'
import { formatCount } from '../ui/format'
import { languageName } from './language-name'

/** A fragment as the search and the agents see it, with its place and size. */
export function FragmentItem({ fragment }: { fragment: AddressFragment }) {
  const { number, title, headings, content, tokens, language, embedded } = fragment
  const context = [title, ...headings].filter(Boolean).join(' › ')
  const facts = [
    `${formatCount(tokens)} tokens`,
    language && languageName(language),
    embedded ? null : 'keyword search only so far',
  ]
  return (
    <li className="border-t border-line px-4 py-3 first:border-t-0">
      <p className="flex flex-wrap gap-x-3 text-meta text-soft">
        <span>
          {formatCount(number)}
          {context && (
            <>
              {' · '}
              <span className="font-medium text-text">{context}</span>
            </>
          )}
        </span>
        <span className="ml-auto">
          <FragmentPlace fragment={fragment} />
          {facts.filter(Boolean).join(' · ')}
        </span>
      </p>
      <p className="mt-1 max-w-prose whitespace-pre-line break-words">{content}</p>
    </li>
  )
}

/** Where the fragment is: a place in a file as text, an anchor of a page as a link. */
function FragmentPlace({ fragment: { url, link } }: { fragment: AddressFragment }) {
  const place = placeInFile(link)
  if (place) return <>{place} · </>
  if (link === url || !isWeb(link)) return null
  return (
    <>
      <a href={link} target="_blank" rel="noopener nofollow" className="underline">
        #{decodedAnchor(link)}
      </a>
      {' · '}
    </>
  )
}

function decodedAnchor(link: string): string {
  const anchor = link.slice(link.indexOf('#') + 1)
  try {
    return decodeURIComponent(anchor)
  } catch {
    return anchor
  }
}
