/**
 * By what a text was read. The numbers count up with every change of what is read of a page or a document, or of how it
 * is cut: what an earlier version has read is read again by the next run, whatever its site says of it.
 */
export const extractorVersion = { page: 'page-4', document: 'document-4' } as const
