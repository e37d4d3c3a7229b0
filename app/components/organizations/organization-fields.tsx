import { lengths } from '../../../contract/values/limits'
import { type FormField, TextField } from '../ui/forms/field'

/** The fields of a new organization. */
export function OrganizationFields({ fields }: { fields: Record<'name' | 'entity_name', FormField> }) {
  return (
    <>
      <TextField
        field={fields.name}
        label="Name"
        required
        autoFocus
        maxLength={lengths.organizationName}
        autoComplete="organization"
      />
      <TextField
        field={fields.entity_name}
        label="Legal entity name"
        maxLength={lengths.entityName}
        hint="Shown on invoices."
      />
    </>
  )
}
