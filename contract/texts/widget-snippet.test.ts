import { expect, it } from 'vitest'
import { widgetAttributes, widgetSnippet } from './widget-snippet'

const attributesOf = (fields: Record<string, string>) => widgetAttributes((name) => fields[name] ?? null)

it('has a place for the public key', () => {
  expect(widgetSnippet('https://ask.example')).toBe(
    '<script src="https://ask.example/widget.js" data-key="%PUBLIC_KEY%" async></script>',
  )
})

it('names the options that differ from the default', () => {
  const attributes = attributesOf({ mode: 'inline', position: 'right', color: '#7a3e00', title: 'Ask "us" <now>' })
  expect(widgetSnippet('https://ask.example', 'sitelore_public_1', attributes)).toBe(
    '<script src="https://ask.example/widget.js" data-key="sitelore_public_1" data-mode="inline" data-color="#7a3e00" data-title="Ask &quot;us&quot; &lt;now&gt;" async></script>',
  )
})

it('leaves out what the widget would ignore', () => {
  expect(
    attributesOf({
      mode: 'popup',
      theme: 'auto',
      lang: 'xx',
      color: 'red;',
      contact: 'javascript:alert(1)',
      title: ' ',
    }),
  ).toEqual({})
})
