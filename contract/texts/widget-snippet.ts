/** What the snippet has in place of the agent's public key. */
export const publicKeyPlaceholder = '%PUBLIC_KEY%'

/** Attributes of the tag with fixed values. The first value of each is the default. */
export const widgetChoices = {
  mode: ['bubble', 'inline'],
  position: ['right', 'left'],
  theme: ['auto', 'light', 'dark'],
  lang: ['', 'en', 'de', 'es', 'fr', 'pl', 'it', 'pt', 'nl', 'cs', 'uk', 'ja', 'zh', 'ar'],
} as const

/** Longest text of an attribute that the widget page takes. */
const maxTextLength = 300

/**
 * Returns the attributes of the tag that differ from the default, by their name without `data-`. Values that the widget
 * would ignore are left out.
 */
export function widgetAttributes(input: (name: string) => string | null): Record<string, string> {
  const attributes: Record<string, string> = {}
  for (const [name, values] of Object.entries(widgetChoices)) {
    const value = input(name) ?? ''
    if (values.slice(1).some((item) => item === value)) attributes[name] = value
  }
  for (const name of ['color', 'title', 'greeting', 'contact']) {
    const value = (input(name) ?? '').trim().slice(0, maxTextLength)
    if (value !== '' && isWidgetText(name, value)) attributes[name] = value
  }
  return attributes
}

/** Whether the widget takes a text for an attribute: any title and greeting, a hexadecimal color, an https or mailto link. */
export function isWidgetText(name: string, value: string): boolean {
  if (name === 'color') return /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(value)
  return name !== 'contact' || /^(https:\/\/|mailto:)\S+$/i.test(value)
}

/** The tag that puts the widget on a page. `publicUrl` is that of this server. */
export function widgetSnippet(
  publicUrl: string,
  key: string = publicKeyPlaceholder,
  attributes: Record<string, string> = {},
): string {
  const all = Object.entries({ key, ...attributes }).map(([name, value]) => ` data-${name}="${escapeAttribute(value)}"`)
  return `<script src="${publicUrl}/widget.js"${all.join('')} async></script>`
}

function escapeAttribute(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
