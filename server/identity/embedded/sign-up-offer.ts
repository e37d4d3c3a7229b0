import type { Database } from '../../../db/database'
import type { Config } from '../../config'
import { isSetUp, type Link, type Links } from '../links/links'

export type SignUpOffer = { kind: 'offered'; link: Link | null } | { kind: 'refused'; message: string }

interface Deps {
  db: Database
  signUp: Config['signUp']
  links: Links
}

/** Decides whether a browser, with or without a link, can create an account, and if not, why. */
export function createSignUpOffers({ db, signUp, links }: Deps) {
  return async (linkToken: string | null): Promise<SignUpOffer> => {
    const link = linkToken ? await links.find(linkToken) : null
    if (link?.purpose === 'setup') return { kind: 'offered', link }
    if (!(await isSetUp(db.read))) {
      return rejected(
        'This site is not set up yet. Open the set-up link that the server printed when it started; it makes the first account.',
      )
    }
    if (signUp === 'closed') return rejected('This site does not accept new accounts.')
    if (link?.purpose === 'invitation') return { kind: 'offered', link }
    if (signUp === 'open') return { kind: 'offered', link: link?.purpose === 'verification' ? link : null }
    return rejected('Sign-up is by invitation. Ask an administrator of the site for an invitation link.')
  }
}

function rejected(message: string): SignUpOffer {
  return { kind: 'refused', message }
}
