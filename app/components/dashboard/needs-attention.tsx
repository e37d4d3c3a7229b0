import { LinkButton } from '../ui/button'
import { Card, CardHead } from '../ui/card'
import type { AttentionItem } from './attention'

export function NeedsAttention({ items }: { items: AttentionItem[] }) {
  return (
    <Card label="Needs attention">
      <CardHead title="Needs attention" />
      {items.length === 0 ? (
        <p className="px-4 py-3 text-soft">All clear.</p>
      ) : (
        <ul>
          {items.map(({ title, text, action }) => (
            <li
              key={title + action.to}
              className="flex items-center gap-3 border-t border-line px-4 py-2.5 first:border-t-0"
            >
              <div className="min-w-0 flex-1">
                <p className="break-words font-medium">{title}</p>
                <p className="line-clamp-2 text-meta text-soft" title={text}>
                  {text}
                </p>
              </div>
              <LinkButton to={action.to} className="shrink-0" aria-label={`${action.label}: ${title}`}>
                {action.label}
              </LinkButton>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
