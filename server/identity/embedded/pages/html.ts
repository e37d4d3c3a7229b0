import { escapeUTF8 } from 'entities/escape'

/** Text that is HTML already. Everything else is escaped where it is put into a template. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | null | undefined | false | readonly Part[]

/** A template of HTML: strings are escaped, lists joined, and null, undefined and false leave nothing. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(texts.reduce((whole, text, index) => whole + render(parts[index - 1]) + text))
}

function render(part: Part): string {
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return part.map(render).join('')
  if (part === null || part === undefined || part === false) return ''
  return escapeUTF8(String(part))
}
