import type { AskResult, Catalog, SearchResult } from '../../../contract/chat/mcp'

/** What tools return as text, beside the structured content, for clients that show only this. */

export function passageText({ number, title, link, content }: SearchResult['results'][number]): string {
  return `[${number}] ${title}\n${link}\n\n${content}`
}

export function citationLine({ number, title, link }: AskResult['citations'][number]): string {
  return `[${number}] ${title}: ${link}`
}

export function catalogText({ agents, collections, is_truncated: isTruncated }: Catalog): string {
  const agentLines = agents.map(({ id, name, organization, collection, status }) => {
    const from = collection ? `answers from ${collection.name}` : 'has no collection'
    return `- ${name} (${id}) of ${organization.name}: ${from}; ${status}`
  })
  const collectionLines = collections.flatMap(({ id, name, organization, sources }) => [
    `- ${name} (${id}) of ${organization.name}`,
    ...sources.map((source) => `  - ${source.name}: ${source.url ?? source.file_name ?? source.type}`),
  ])
  return [
    ['Agents:', ...orNone(agentLines)],
    ['Collections:', ...orNone(collectionLines)],
    ...(isTruncated ? [['The lists are incomplete. Name an organization to see more of it.']] : []),
  ]
    .map((lines) => lines.join('\n'))
    .join('\n\n')
}

function orNone(lines: string[]): string[] {
  return lines.length === 0 ? ['none'] : lines
}
