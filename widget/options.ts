/** What the attributes of the tag say. */
export interface WidgetOptions {
  key: string
  /** Where the script comes from, without a slash at its end. */
  server: string
  mode: 'bubble' | 'inline'
  position: 'left' | 'right'
  /** Whether the panel opens with the page. */
  isOpen: boolean
  theme: 'light' | 'dark' | 'auto'
  /** A CSS color; null for the default. */
  color: string | null
  /** An https address of a picture; null for the agent's logo. */
  logo: string | null
  language: string
  /** Null for the text of the language. */
  title: string | null
  greeting: string | null
  placeholder: string | null
  suggestions: string[]
  /** Where visitors are sent who got no answer: an https or mailto link; null for nowhere. */
  contact: string | null
  /** What the page says of its visitor. */
  userId: string | null
  userEmail: string | null
  sessionId: string | null
}

const languages = ['en', 'de', 'es', 'fr', 'pl', 'it', 'pt', 'nl', 'cs', 'uk', 'ja', 'zh', 'ar']

/** Reads the attributes of the tag. An attribute with another value than the known ones counts as absent. */
export function readOptions(script: HTMLScriptElement): WidgetOptions {
  const input = (name: string) => script.getAttribute(`data-${name}`)?.trim() || null
  const page = document.documentElement.lang
  const language = (input('lang') ?? page).slice(0, 2).toLowerCase()
  const contact = input('contact')
  const color = input('color')
  const logo = input('logo')
  return {
    key: input('key') ?? '',
    server: new URL(script.src, location.href).origin,
    mode: input('mode') === 'inline' ? 'inline' : 'bubble',
    position: input('position') === 'left' ? 'left' : 'right',
    isOpen: script.hasAttribute('data-open'),
    theme: themeOf(input('theme')),
    color: color !== null && CSS.supports('color', color) ? color : null,
    logo: logo !== null && /^https:\/\//i.test(logo) ? logo : null,
    language: languages.includes(language) ? language : 'en',
    title: input('title'),
    greeting: input('greeting'),
    placeholder: input('placeholder'),
    suggestions: (input('suggestions') ?? '').split('|').filter((text) => text.trim() !== ''),
    contact: contact !== null && /^(https?:\/\/|mailto:)/i.test(contact) ? contact : null,
    userId: input('user-id'),
    userEmail: input('user-email'),
    sessionId: input('session-id'),
  }
}

function themeOf(text: string | null): WidgetOptions['theme'] {
  return text === 'light' || text === 'dark' ? text : 'auto'
}
