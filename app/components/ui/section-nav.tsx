import { useEffect, useState } from 'react'

/** A section counts as the current one once its start is this far from the top of the window. */
const currentBelowPx = 160

export interface PageSection {
  /** The id of its element. */
  id: string
  title: string
  count?: string
}

/** Links to the sections of a long page, which stay in view and mark the one that is being read. */
export function SectionNav({ sections }: { sections: PageSection[] }) {
  const current = useCurrentSection(sections)
  return (
    <nav aria-label="On this page" className="sticky top-[52px] z-20 mb-5 border-line border-b bg-page">
      {/* Scrolls where the window is narrow. */}
      <div className="-mb-px flex gap-5 overflow-x-auto whitespace-nowrap [scrollbar-width:none]">
        {sections.map(({ id, title, count }) => (
          <a
            key={id}
            href={`#${id}`}
            aria-current={id === current ? 'location' : undefined}
            className="border-transparent border-b-2 py-2 font-medium text-soft hover:text-text aria-[current]:border-accent aria-[current]:text-text"
          >
            {title}
            {count !== undefined && <span className="ml-1.5 text-meta tabular-nums">{count}</span>}
          </a>
        ))}
      </div>
    </nav>
  )
}

/** The last section that has begun, the last one of all at the end of the page, or the first one. */
function useCurrentSection(sections: PageSection[]): string | undefined {
  const ids = sections.map(({ id }) => id).join(' ')
  const [current, setCurrent] = useState(sections[0]?.id)
  useEffect(() => {
    function update() {
      const isAtEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2
      const all = ids.split(' ')
      const begun = all.filter((id) => (document.getElementById(id)?.getBoundingClientRect().top ?? 0) < currentBelowPx)
      setCurrent(isAtEnd && window.scrollY > 0 ? all.at(-1) : (begun.at(-1) ?? all[0]))
    }
    update()
    window.addEventListener('scroll', update, { passive: true })
    return () => window.removeEventListener('scroll', update)
  }, [ids])
  return current
}
