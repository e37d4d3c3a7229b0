/** Separates the headings of a path, in the embedded text and in the rows of fragments. */
export const headingSeparator = ' / '

/** Heading of the fragments with boilerplate. It is not text of the site, so searches do not match it. */
export const boilerplateHeading = 'On several pages'

/** Whether a path of headings, joined by the separator, is that of boilerplate. */
export function isBoilerplateHeading(headings: string): boolean {
  return headings === boilerplateHeading || headings.startsWith(`${boilerplateHeading}${headingSeparator}`)
}

/**
 * The text of a fragment that is embedded, and whose tokens are limited: title, headings and text. Boilerplate is embedded
 * without the title of the page that happens to have it.
 */
export function embeddingText({ title, headings, text }: { title: string; headings: string; text: string }): string {
  const context = isBoilerplateHeading(headings)
    ? [headings.slice(boilerplateHeading.length + headingSeparator.length)]
    : [title, headings]
  return [...context, text].filter((part) => part !== '').join('\n')
}
