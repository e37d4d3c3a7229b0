/**
 * Versions of the extraction. Increment one with every change of the text or the fragments of a page or a document: the
 * next run reads again what an earlier version read, even where the site answers that nothing changed.
 */
export const extractorVersion = { page: 'page-13', document: 'document-8' } as const
