import { paths } from '../../paths'

export interface HelpPage {
  name: string
  title: string
}

export interface HelpGroup {
  title: string
  pages: { to: string; title: string }[]
}

/** The pages of the manual by what a reader is about to do, by name. */
const groups = [
  { title: 'Start', names: ['getting-started', 'account', 'sign-in', 'organizations', 'audit-log', 'data-retention'] },
  {
    title: 'Content',
    names: ['collections', 'sources', 'source-options', 'crawling', 'addresses', 'files', 'reasons'],
  },
  { title: 'Search and answers', names: ['search', 'agents', 'chat', 'widget'] },
  {
    title: 'Programs',
    names: ['http-api', 'api', 'http-keys', 'http-search', 'http-sources', 'programs', 'command-line'],
  },
  {
    title: 'Operation',
    names: [
      'deployment',
      'monitoring',
      'cluster',
      'configuration',
      'embedding-models',
      'limits',
      'backup',
      'update',
      'back-office',
      'troubleshooting',
    ],
  },
] as const

/** Written from the API description, not part of the manual's files. */
const reference: HelpPage = { name: 'api', title: 'API reference' }

/** The manual's pages in groups, with the API reference; pages without a group come last. */
export function helpGroups(manual: HelpPage[]): HelpGroup[] {
  const pages = [...manual, reference]
  const grouped: string[] = groups.flatMap(({ names }) => [...names])
  const rest = pages.filter(({ name }) => !grouped.includes(name)).map(({ name }) => name)
  return [...groups, { title: 'More', names: rest }].flatMap(({ title, names }) => {
    const found = names.flatMap((name) => {
      const page = pages.find((helpPage) => helpPage.name === name)
      return page ? [{ to: paths.help(name), title: page.title }] : []
    })
    return found.length > 0 ? [{ title, pages: found }] : []
  })
}
