/** Between headings that stand in one line: in a passage and in the rows of fragments. */
export const headingSeparator = ' / '

/** Over what stands on several pages of a site, and is kept once. It is no word of the site, and is not found as one. */
export const boilerplateHeading = 'On several pages'

/** Of headings in one line: whether they stand over what several pages share. */
export function isBoilerplateHeading(headings: string): boolean {
  return headings === boilerplateHeading || headings.startsWith(`${boilerplateHeading}${headingSeparator}`)
}

/**
 * What is embedded of a fragment, and whose word pieces are limited: the title and the headings in front of its text,
 * since they say what it is about. The chunker leaves room for them in the model's length. What several pages of a
 * site share is embedded without the title of the page that happens to keep it.
 */
export function embeddingText({ title, headings, text }: { title: string; headings: string; text: string }): string {
  const over = isBoilerplateHeading(headings)
    ? [headings.slice(boilerplateHeading.length + headingSeparator.length)]
    : [title, headings]
  return [...over, text].filter((part) => part !== '').join('\n')
}
