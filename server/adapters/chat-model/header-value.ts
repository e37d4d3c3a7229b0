/** Whether a key can be sent in a header. The error of one that cannot would contain it. */
export function isHeaderValue(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text)
}
