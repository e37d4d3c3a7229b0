/** 'German', 'American English'. Returns unknown tags unchanged: a page may declare any text as its language. */
export function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}
