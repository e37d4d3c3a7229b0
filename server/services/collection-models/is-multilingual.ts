/** Whether a model is made for several languages, by what its card says. */
export function isMultilingual(languages: string | null): boolean {
  return languages !== null && languages !== 'English'
}
