const titles = ['Captain on deck', 'Welcome back commander', 'At a glance...']

/** A random title of the overview. */
export function adminTitle(random = Math.random()): string {
  return titles[Math.floor(random * titles.length)] ?? ''
}
