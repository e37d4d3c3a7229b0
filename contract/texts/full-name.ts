/** Name and surname; empty without either. */
export function fullNameOf({ name, surname }: { name?: string | null; surname?: string | null }): string {
  return [name, surname].filter(Boolean).join(' ')
}
