import { escapeUTF8 } from 'entities/escape'

/** Safe HTML. A template escapes everything else. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | null | undefined | false | readonly Part[]

/** An HTML template: escapes strings, joins lists, and omits null, undefined and false. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(texts.reduce((whole, text, index) => whole + render(parts[index - 1]) + text))
}

function render(part: Part): string {
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return part.map(render).join('')
  if (part === null || part === undefined || part === false) return ''
  return escapeUTF8(String(part))
}
