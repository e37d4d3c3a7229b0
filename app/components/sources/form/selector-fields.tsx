import { type FormField, TextField } from '../../ui/forms/field'
import { PagePreviewField } from '../preview/page-preview-field'

/** Selectors of a page's content and of what to leave out, with a page to try them on. */
export function SelectorFields({ fields }: { fields: Record<'include_selectors' | 'exclude_selectors', FormField> }) {
  return (
    <>
      <TextField
        field={fields.include_selectors}
        label="Keep"
        rows={2}
        placeholder="main .article"
        hint="CSS selectors of the content to index, one per line. If empty, Sitelore detects the content."
      />
      <TextField
        field={fields.exclude_selectors}
        label="Remove"
        rows={2}
        placeholder=".related"
        hint="CSS selectors of the content to remove from each page, one per line."
      />
      <PagePreviewField />
    </>
  )
}
