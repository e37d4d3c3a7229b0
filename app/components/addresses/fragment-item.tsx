import { isWeb, placeInFile } from '../../../contract/place-in-file'
import type { AddressFragment } from '../../../contract/views/address'
import { formatCount } from '../ui/format'
import { languageName } from './language-name'

/** A fragment with its place, its context and its size: all that the search and the agents see of it. */
export function FragmentItem({ fragment }: { fragment: AddressFragment }) {
  const { number, title, headings, content, tokens, language, embedded } = fragment
  const context = [title, ...headings].filter(Boolean).join(' › ')
  const facts = [
    `${formatCount(tokens)} tokens`,
    language && languageName(language),
    embedded ? null : 'found by words alone so far',
  ]
  return (
    <li className="border-t border-line px-4 py-3 first:border-t-0">
      <p className="flex flex-wrap gap-x-3 text-small text-soft">
        <span>
          {formatCount(number)}
          {context && ` · ${context}`}
        </span>
        <span className="ml-auto">
          <Place fragment={fragment} />
          {facts.filter(Boolean).join(' · ')}
        </span>
      </p>
      <p className="mt-1 max-w-prose whitespace-pre-line break-words">{content}</p>
    </li>
  )
}

/** Where it stands: a part of a file in words, a part of a page as a link to it. */
function Place({ fragment: { url, link } }: { fragment: AddressFragment }) {
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
