import { CopyButton } from '../copy-button'

interface CodeBlockProps {
  label: string
  code: string
  /** What is copied, where the code shows a key masked. */
  copied?: string
}

export function CodeBlock({ label, code, copied = code }: CodeBlockProps) {
  return (
    <section aria-label={label} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <pre className="whitespace-pre-wrap rounded-medium border border-line bg-sunken px-3.5 py-3 font-mono text-meta leading-[1.6] [overflow-wrap:anywhere]">
        {code}
      </pre>
      {/* Its icon begins where the code does. */}
      <div className="-ml-2">
        <CopyButton text={copied} />
      </div>
    </section>
  )
}
