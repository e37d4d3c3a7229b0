import { bearerOf, pathVariables } from '../examples'
import type { Example, Operation } from '../operation'

/** An example as a command for bash. */
export function curlOf(operation: Operation, example: Example, publicUrl: string): string {
  const { query = {}, body, streams } = example
  const bearer = bearerOf(operation)
  const isPlain = !JSON.stringify(body ?? {}).includes('$')
  const parts = [
    ['curl', streams && '-N', Object.keys(query).length > 0 && '-G', `"${publicUrl}${pathOf(operation, '$')}"`]
      .filter(Boolean)
      .join(' '),
    ...Object.entries(query).map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`),
    bearer && `-H "Authorization: Bearer $${bearer}"`,
    streams && '-H "Accept: text/event-stream"',
    body && '-H "Content-Type: application/json"',
    // A GET and a POST are the defaults of these options.
    body && operation.method !== 'POST' && `-X ${operation.method}`,
    body && (isPlain ? `-d '${JSON.stringify(body)}'` : '-d @- <<END'),
  ].filter(Boolean)
  const command = parts.join(' \\\n  ')
  return isPlain ? command : `${command}\n${JSON.stringify(body)}\nEND`
}

/** An example as a module for Node.js, which reads the variables from its environment. */
export function javascriptOf(operation: Operation, example: Example, publicUrl: string): string {
  const { query, body, streams } = example
  const bearer = bearerOf(operation)
  const url = `${publicUrl}${pathOf(operation, 'template')}`
  const headers = [
    bearer && `Authorization: \`Bearer \${${bearer}}\``,
    streams && "Accept: 'text/event-stream'",
    body && "'Content-Type': 'application/json'",
  ].filter(Boolean)
  const options = [
    operation.method !== 'GET' && `method: '${operation.method}'`,
    headers.length > 0 && `headers: { ${headers.join(', ')} }`,
    body && `body: JSON.stringify(${literal(body)})`,
  ].filter(Boolean)
  const variables = variablesOf(operation, example)
  const address = literal(url, 'template')
  const asked = options.length > 0 ? `, {\n  ${options.join(',\n  ')},\n}` : ''
  return [
    ...(variables.length > 0 ? [`const { ${variables.join(', ')} } = process.env`, ''] : []),
    ...(query ? [`const query = new URLSearchParams(${literal(query)})`] : []),
    `const response = await fetch(${query ? `${address.slice(0, -1)}?\${query}\`` : address}${asked})`,
    'if (!response.ok) throw new Error(await response.text())',
    ...(streams
      ? ['for await (const text of response.body.pipeThrough(new TextDecoderStream())) console.log(text)']
      : ['console.log(await response.json())']),
  ].join('\n')
}

/** The variables that an example needs, in the order of their use. */
export function variablesOf(operation: Operation, { query, body }: Example): string[] {
  const text = `$${bearerOf(operation) ?? ''} ${pathOf(operation, '$')} ${JSON.stringify({ query, body })}`
  return [...new Set([...text.matchAll(/\$([A-Z_]+)/g)].map(([, name = '']) => name))]
}

function pathOf({ path }: Operation, as: '$' | 'template'): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const variable = pathVariables[name] ?? name
    return as === '$' ? `$${variable}` : `\${${variable}}`
  })
}

/** Quotes a text: in double quotes where there is a variable. */
function quoted(text: string): string {
  return text.includes('$') ? `"${text}"` : `'${text}'`
}

/** A value as JavaScript, with names of variables in place of `$NAME`. */
function literal(value: unknown, as: 'text' | 'template' = 'text'): string {
  if (typeof value === 'string') {
    if (/^\$[A-Z_]+$/.test(value)) return value.slice(1)
    return as === 'template' ? `\`${value}\`` : `'${value.replaceAll("'", "\\'")}'`
  }
  if (Array.isArray(value)) return `[${value.map((item) => literal(item)).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{ ${Object.entries(value)
    .map(([name, item]) => `${name}: ${literal(item)}`)
    .join(', ')} }`
}
