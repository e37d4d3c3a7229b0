import type { Field, TypeText } from './reference-content'
import { WithCode } from './with-code'

/** A type, with links to the objects that it names. */
export function TypeView({ type }: { type: TypeText }) {
  return (
    <span className="font-mono text-meta text-soft [overflow-wrap:anywhere]">
      {type.map((part, index) =>
        typeof part === 'string' ? (
          part
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a type never change their order.
          <a key={index} href={`#${part.object}`}>
            {part.object}
          </a>
        ),
      )}
    </span>
  )
}

interface FieldListProps {
  fields: Field[]
  /** Whether programs send them: then the required ones are marked, else those that may be absent. */
  areSent?: boolean
}

export function FieldList({ fields, areSent = false }: FieldListProps) {
  return (
    <ul className="!list-none grid gap-0 divide-y divide-line !pl-0">
      {fields.map(({ name, type, isRequired, description }) => (
        <li key={name} className="!mt-0 py-1.5">
          <span className="font-medium font-mono text-meta">{name}</span>{' '}
          {isRequired === areSent && (
            <span className="text-meta text-warning">{areSent ? 'required' : 'optional'}</span>
          )}{' '}
          <TypeView type={type} />
          {description && (
            <p className="text-meta text-soft">
              <WithCode text={description} />
            </p>
          )}
        </li>
      ))}
    </ul>
  )
}
