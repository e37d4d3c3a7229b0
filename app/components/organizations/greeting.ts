import type { CurrentUserView } from '../../../contract/views/organizations/user'

const greetings = ['Welcome back', 'Good to see you', 'Hello', 'Ready when you are', 'Nice to have you here']

/** A random greeting with the person's name, or their e-mail address if they have none. */
export function greetingFor({ name, email }: Pick<CurrentUserView, 'name' | 'email'>, random = Math.random()): string {
  return `${greetings[Math.floor(random * greetings.length)]}, ${name || email}`
}
