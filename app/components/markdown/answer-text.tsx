import { type Components, toJsxRuntime } from 'hast-util-to-jsx-runtime'
import { useMemo } from 'react'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'
import type { FragmentView } from '../../../contract/views/chat/fragment'
import { CopyButton } from '../copy-button'
import { answerTree } from './answer-tree'
import { Citation, citationClasses } from './citation'
import { textOf } from './nodes'

interface AnswerTextProps {
  markdown: string
  /** What the citations `[1]`, `[2]` refer to. */
  fragments: FragmentView[]
  /** Where the citations lead, by number, where the fragments are not shown. */
  links?: ReadonlyMap<number, string>
}

const noLinks: ReadonlyMap<number, string> = new Map()

/** Renders a model's text, which is not trusted: no HTML, no images, and only links to http and https. */
export function AnswerText({ markdown, fragments, links = noLinks }: AnswerTextProps) {
  const tree = useMemo(() => answerTree(markdown, fragments.length), [markdown, fragments.length])
  const components = useMemo(() => componentsFor(fragments, links), [fragments, links])
  return (
    <div className="prose">
      {toJsxRuntime(tree, { Fragment, jsx, jsxs, components, ignoreInvalidStyle: true, passNode: true })}
    </div>
  )
}

function componentsFor(fragments: FragmentView[], links: ReadonlyMap<number, string>): Partial<Components> {
  return {
    a: ({ href, children }) =>
      href && /^https?:\/\//i.test(href) ? (
        <a
          href={(typeof children === 'string' && links.get(Number(children))) || href}
          target="_blank"
          rel="noopener nofollow"
          className={typeof children === 'string' && /^\d{1,2}$/.test(children) ? citationClasses : undefined}
        >
          {children}
        </a>
      ) : (
        <span>{children}</span>
      ),
    pre: ({ node, children }) => (
      <div className="relative">
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a code block that scrolls must be reachable by keyboard.
          tabIndex={0}
        >
          {children}
        </pre>
        <div className="absolute top-1 right-1 rounded-small bg-surface">
          <CopyButton text={node ? textOf(node) : ''} label="Copy code" />
        </div>
      </div>
    ),
    span: ({ node, children }) => {
      const number = Number(node?.properties.dataCitation)
      const fragment = fragments[number - 1]
      return fragment ? <Citation number={number} fragment={fragment} /> : <span>{children}</span>
    },
  }
}
