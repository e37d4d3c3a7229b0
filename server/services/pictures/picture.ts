/** A picture as it is stored and served. */
export interface Picture {
  mediaType: string
  content: Uint8Array<ArrayBuffer>
}
