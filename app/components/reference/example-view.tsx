import type { ReferenceExample } from './reference-content'

export function ExampleView({ example: { title, curl, javascript } }: { example: ReferenceExample }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h3>{title}</h3>
      {[
        { label: 'curl', code: curl },
        { label: 'JavaScript', code: javascript },
      ].map(({ label, code }) => (
        <figure key={label} className="grid grid-cols-[minmax(0,1fr)] gap-1">
          <figcaption className="text-meta text-soft">{label}</figcaption>
          <pre className="whitespace-pre-wrap [overflow-wrap:anywhere]">
            <code>{code}</code>
          </pre>
        </figure>
      ))}
    </div>
  )
}
