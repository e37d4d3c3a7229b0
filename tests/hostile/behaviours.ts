import type { Behaviour } from './behaviour'
import { conditions } from './behaviours/conditions'
import { connections } from './behaviours/connections'
import { encodings } from './behaviours/encodings'
import { pages } from './behaviours/pages'
import { redirects } from './behaviours/redirects'
import { robots } from './behaviours/robots'
import { sitemaps } from './behaviours/sitemaps'
import { traps } from './behaviours/traps'

export const behaviours: Behaviour[] = [
  ...connections,
  ...encodings,
  ...redirects,
  ...robots,
  ...sitemaps,
  ...traps,
  ...pages,
  ...conditions,
]
