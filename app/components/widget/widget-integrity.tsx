import { Card, CardHead } from '../ui/card'
import { CodeBlock } from '../ui/code-block'

/** The hash of the loader, for pages that pin the scripts they load. */
export function WidgetIntegrity({ integrity }: { integrity: string }) {
  return (
    <Card label="Integrity">
      <CardHead title="Integrity" />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 p-4">
        <p className="text-soft">
          If your site uses Subresource Integrity, add these attributes to the tag. The hash changes with each update of
          this server; until you replace it, the widget does not load.
        </p>
        <CodeBlock label="Integrity of widget.js" code={`integrity="${integrity}" crossorigin="anonymous"`} />
      </div>
    </Card>
  )
}
