import type { PageCall } from './page-call'

const page = (file: string, path: string, status = 200): PageCall => ({
  method: 'GET',
  file: `_public+/${file}`,
  path,
  may: 'everybody',
  status,
})

/** Pages that need no session, and what every page can send. */
export const publicCalls: PageCall[] = [
  page('_index', '/'),
  page('terms', '/terms'),
  page('help', '/help', 302),
  page('help._index', '/help', 302),
  page('help.$page', '/help/organizations'),
  page('help.api', '/help/api'),
  page('help_.sitemap[.]xml', '/help/sitemap.xml'),
  page('robots[.]txt', '/robots.txt'),
  page('sitemap[.]xml', '/sitemap.xml'),
  page('thread.$threadId', '/thread/{thread}'),
  page('login', '/login', 302),
  page('auth.callback', '/auth/callback', 303),
  page('logout', '/logout', 302),
  page('session', '/session'),
  page('removed', '/removed', 303),
  page('theme', '/theme', 302),
  page('sidebar', '/sidebar', 302),
  page('$', '/nowhere', 302),
  { method: 'POST', file: '_public+/$', path: '/nowhere', may: 'everybody', storesNothing: true },
  {
    method: 'POST',
    file: '_public+/theme',
    path: '/theme',
    may: 'everybody',
    fields: () => ({ theme: 'dark', back: '/terms' }),
    storesNothing: true,
  },
  {
    method: 'POST',
    file: '_public+/sidebar',
    path: '/sidebar',
    may: 'everybody',
    fields: () => ({ sidebar: 'collapsed', back: '/dashboard' }),
    storesNothing: true,
  },
  {
    method: 'POST',
    file: '_public+/logout',
    path: '/logout',
    may: 'everybody',
    spendsCaller: true,
    storesNothing: true,
  },
]
