import type { ReferenceContent, ReferenceOperation } from './reference-content'
import { FieldList, TypeView } from './type-view'
import { WithCode } from './with-code'

/** One call, collapsed. */
export function OperationView({ operation }: { operation: ReferenceOperation }) {
  const { id, method, path, summary, description, callers, parameters, body, responses } = operation
  return (
    <details id={id} className="!mt-2 scroll-mt-[72px] rounded-medium border border-line bg-surface">
      <summary className="px-3.5 py-2.5">
        <span className="font-semibold font-mono text-accent-strong text-meta">{method}</span>{' '}
        <span className="font-mono text-meta [overflow-wrap:anywhere]">{path}</span>
        <span className="block text-soft">{summary}</span>
      </summary>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 border-line border-t px-3.5 py-3">
        <p>
          <WithCode text={description} /> {callers}
        </p>
        {parameters.length > 0 && (
          <Part title="Parameters">
            <FieldList fields={parameters} areSent />
          </Part>
        )}
        {body && (
          <Part title={body.isRequired ? 'Body' : 'Body, optional'}>
            {body.contents.map((content) => (
              <ContentView key={content.mediaTypes.join()} content={content} isSent />
            ))}
          </Part>
        )}
        <Part title="Responses">
          {responses.map(({ status, description: about, contents }) => (
            <div key={status} className="py-1">
              <p>
                <span className="font-semibold font-mono text-meta">{status}</span> <WithCode text={about} />
              </p>
              {/* The errors have one form, which the page shows once. */}
              {status < '400' &&
                contents.map((content) => <ContentView key={content.mediaTypes.join()} content={content} />)}
            </div>
          ))}
        </Part>
      </div>
    </details>
  )
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div>
      <h3 className="!mt-0 !text-meta">{title}</h3>
      {children}
    </div>
  )
}

function ContentView({ content, isSent = false }: { content: ReferenceContent; isSent?: boolean }) {
  const { mediaTypes, fields, type, isStream } = content
  return (
    <div className="py-1">
      <p className="text-meta text-soft [overflow-wrap:anywhere]">{mediaTypes.join(', ')}</p>
      {fields ? (
        <FieldList fields={fields} areSent={isSent} />
      ) : (
        <p>
          {isStream && 'Each event: '}
          <TypeView type={type} />
        </p>
      )}
    </div>
  )
}
