import { and, eq, ne } from 'drizzle-orm'
import type { Database } from '../../../db/database'
import { embeddedIssuer, users } from '../../../db/schema/users'
import type { Config } from '../../config/config'
import { isSetUp, type Link, type Links } from '../links/links'

export type SignUpOffer =
  | { kind: 'offered'; link: Link | null }
  /** Nobody can sign up before the first account, which needs the set-up link. */
  | { kind: 'not-set-up' }
  | { kind: 'refused'; title: string; message: string }

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
    if (!(await isSetUp(db.read))) return { kind: 'not-set-up' }
    if (signUp === 'closed') return rejected('Sign-up is closed', 'This site does not accept new accounts.')
    if (link?.invitation && (await hasForeignUser(link.invitation.email))) return otherSignInService
    if (link?.purpose === 'invitation') return { kind: 'offered', link }
    if (signUp === 'open') return { kind: 'offered', link: link?.purpose === 'verification' ? link : null }
    return rejected('Sign-up is by invitation', 'Ask an administrator of the site for an invitation link.')
  }

  /** An account that an invitation creates could never sign in as this user, because its address is not verified. */
  async function hasForeignUser(email: string): Promise<boolean> {
    return (await db.read.$count(users, and(eq(users.emailNormalized, email), ne(users.issuer, embeddedIssuer)))) > 0
  }
}

const otherSignInService = rejected(
  'This address already has an account',
  'The account signs in with another service. Ask the operator of this site for a link that moves it to a password here.',
)

function rejected(title: string, message: string): SignUpOffer {
  return { kind: 'refused', title, message }
}
