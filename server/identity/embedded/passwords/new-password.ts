import { newPasswordSchema } from '../../../../contract/organizations/account'
import { commonPasswords } from './common-passwords'

/** Why somebody with this e-mail address cannot choose this password; null if they can. */
export function newPasswordProblem(password: string, email: string): string | null {
  const parsed = newPasswordSchema.safeParse(password)
  if (!parsed.success) return parsed.error.issues[0]?.message ?? 'Choose another password'
  const lowered = password.normalize('NFKC').toLowerCase()
  if (commonPasswords.has(lowered)) return 'Many people use this password, so it is easy to guess. Choose another one.'
  const address = email.toLowerCase()
  const localPart = address.slice(0, address.lastIndexOf('@'))
  if (lowered === address || isMadeOf(lowered, localPart)) return 'Choose a password that is not your e-mail address'
  if (isMadeOf(lowered, 'sitelore')) return 'Choose a password that is not the name of this product'
  return null
}

/** Whether the letters of a password are one word, once or more. */
function isMadeOf(password: string, word: string): boolean {
  const [letters, wordLetters] = [lettersOf(password), lettersOf(word)]
  return letters !== '' && wordLetters.length > 2 && letters.replaceAll(wordLetters, '') === ''
}

function lettersOf(text: string): string {
  return text.replaceAll(/\P{L}/gu, '')
}
