import { controlProps, FieldFrame, type FormField, TextField } from '../../ui/forms/field'

interface AccessFieldsProps {
  fields: Record<'headers' | 'username' | 'password', FormField>
  /** Names of the stored headers; undefined for a new source. */
  stored: string[] | undefined
}

/** Headers and credentials for a protected site. Their values are never sent back. */
export function AccessFields({ fields, stored }: AccessFieldsProps) {
  const isStored = stored !== undefined && stored.length > 0
  return (
    <fieldset className="grid gap-4 border-t border-line pt-4 sm:col-span-2 sm:grid-cols-2">
      <legend className="float-left w-full font-medium sm:col-span-2">
        Protected site
        <span className="block font-normal text-meta text-soft">
          Stored encrypted, sent to this site only, and never shown again.
        </span>
      </legend>
      {isStored && (
        <div className="grid gap-1.5 rounded-small bg-sunken px-3 py-2 sm:col-span-2">
          <p>
            Stored: <span className="break-words font-medium">{stored.join(', ')}</span>. Fields that are left empty
            keep them.
          </p>
          <label className="flex items-center gap-2">
            <input type="checkbox" name="clear_headers" />
            Remove stored headers and credentials
          </label>
        </div>
      )}
      <div className="sm:col-span-2">
        <TextField
          field={fields.headers}
          label="Request headers"
          rows={2}
          placeholder="X-Access-Token: …"
          autoComplete="off"
          hint={
            isStored
              ? "One 'Name: value' per line. New headers replace the stored ones."
              : "One 'Name: value' per line, from the site's administrator."
          }
        />
      </div>
      <TextField
        field={fields.username}
        label="User name"
        autoComplete="off"
        hint="For sites with HTTP basic authentication."
      />
      <FieldFrame field={fields.password} label="Password">
        <input
          {...controlProps(fields.password, true)}
          defaultValue=""
          type="password"
          autoComplete="new-password"
          spellCheck={false}
        />
      </FieldFrame>
    </fieldset>
  )
}
