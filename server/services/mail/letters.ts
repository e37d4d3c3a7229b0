import { deviceName } from '../../../contract/texts/device-name'
import { type OrganizationRole, roleLabels } from '../../../contract/values/enumerations'
import type { Letter } from './render-mail'

const productName = 'Sitelore'

/** `site` is the public address of the installation. */
export function invitationLetter(invitation: {
  site: string
  organizationName: string
  role: OrganizationRole
  email: string
  link: string
}): Letter {
  const { site, role, email, link } = invitation
  const organization = quoted(invitation.organizationName)
  return {
    subject: `Join ${organization} on ${productName}`,
    paragraphs: [`You have been invited to join ${organization} on ${productName} as ${roleLabels[role]}.`],
    link: { label: 'Accept the invitation', href: link },
    closing: [
      `The link is for ${email}, works once and is valid for 7 days.`,
      `An administrator of the organization at ${site} sent it. If you did not expect this invitation, you can ignore this e-mail.`,
    ],
  }
}

export function accountInvitationLetter({ site, email, link }: { site: string; email: string; link: string }): Letter {
  return {
    subject: `Your invitation to ${productName}`,
    paragraphs: [`You have been invited to create an account at ${site}.`],
    link: { label: 'Create an account', href: link },
    closing: [
      `The link is for ${email}, works once and is valid for 7 days. If you did not expect this invitation, you can ignore this e-mail.`,
    ],
  }
}

export function passwordResetLetter({ site, link }: { site: string; link: string }): Letter {
  return {
    subject: `Choose a new password for ${productName}`,
    paragraphs: [`Someone, probably you, asked for a new password for your account at ${site}.`],
    link: { label: 'Choose a new password', href: link },
    closing: [
      'The link works once and is valid for 24 hours. If this was not you, you can ignore this e-mail: your password stays the same.',
    ],
  }
}

export function verificationLetter({ site, link }: { site: string; link: string }): Letter {
  return {
    subject: `Confirm your e-mail address for ${productName}`,
    paragraphs: [`Someone, probably you, entered this e-mail address for an account at ${site}.`],
    link: { label: 'Confirm the address and continue', href: link },
    closing: ['The link is valid for 24 hours. If this was not you, you can ignore this e-mail.'],
  }
}

/** Letter to the new address of an account. */
export function emailChangeLetter({ site, link }: { site: string; link: string }): Letter {
  return {
    subject: `Confirm your new e-mail address for ${productName}`,
    paragraphs: [`Someone, probably you, wants to use this e-mail address for an account at ${site}.`],
    link: { label: 'Confirm the address', href: link },
    closing: [
      'Open the link in the browser in which you are logged in. It works once and is valid for 24 hours. If this was not you, you can ignore this e-mail.',
    ],
  }
}

/** Letter to the former address of an account. */
export function emailChangedLetter({ site, email }: { site: string; email: string }): Letter {
  return {
    subject: `Your e-mail address for ${productName} was changed`,
    paragraphs: [`The e-mail address of your account at ${site} is now ${email}.`],
    link: { label: 'Open the site', href: site },
    closing: ['If this was not you, ask the administrator of the site for help.'],
  }
}

/** Letter about a sign-in from a browser that the person has not used before. */
export function newDeviceLetter(signIn: {
  site: string
  userAgent: string | null
  ip: string | null
  time: Date
}): Letter {
  const { site, userAgent, ip, time } = signIn
  const device = withoutLinks(deviceName(userAgent))
  const when = `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return {
    subject: `New sign-in to ${productName}`,
    paragraphs: [`Your account at ${site} was used in a new browser: ${device}, ${ip ?? 'unknown address'}, ${when}.`],
    link: { label: 'Open your account', href: `${site}/dashboard/account` },
    closing: [
      'If this was you, there is nothing to do. If not, change your password and end that session on the page of your account.',
    ],
  }
}

/** Letter about second factors of an account that were changed. */
export function secondFactorLetter({ site, change }: { site: string; change: string }): Letter {
  return {
    subject: `The second factor of your ${productName} account was changed`,
    paragraphs: [`${change} at ${site}.`],
    link: { label: 'Open your account', href: `${site}/dashboard/account` },
    closing: ['If this was not you, change your password and ask the administrator of the site for help.'],
  }
}

/** For a sign-up with an address that has an account: the page of the sign-up does not say so. */
export function accountExistsLetter({ site, link }: { site: string; link: string }): Letter {
  return {
    subject: `You already have an account on ${productName}`,
    paragraphs: [
      `Someone, probably you, tried to create an account at ${site} with this e-mail address, which already has one.`,
    ],
    link: { label: 'Log in', href: link },
    closing: [
      "If you forgot the password, choose 'Forgot your password?' there. If this was not you, you can ignore this e-mail: nothing has changed.",
    ],
  }
}

/** Letter about what needs attention, to someone who can do something about it. `organizationName` is null for operators. */
export function noticeLetter({
  site,
  organizationName,
  notices,
}: {
  site: string
  organizationName: string | null
  notices: { title: string; text: string; path: string }[]
}): Letter {
  const [first, ...more] = notices
  const title = withoutLinks(first?.title ?? '')
  const place = organizationName === null ? site : `${quoted(organizationName)} at ${site}`
  const role = organizationName === null ? 'operate this server' : 'administer this organization'
  return {
    subject: more.length === 0 ? title : `${title}, and ${more.length} more`,
    paragraphs: [
      `${place} needs your attention:`,
      ...notices.map((notice) => withoutLinks(`${notice.title}. ${notice.text}`)),
    ],
    link: {
      label: more.length === 0 ? 'Open the page' : 'Open the dashboard',
      href: site + (first && more.length === 0 ? first.path : '/dashboard'),
    },
    closing: [
      `You get this e-mail because you ${role}; there is at most one an hour of its kind. You can turn these e-mails off on the page of your account: ${site}/dashboard/account`,
    ],
  }
}

/** A name that strangers choose. Without `://`, mail programs turn no address in it into a link. */
function quoted(name: string): string {
  return `“${withoutLinks(name)}”`
}

function withoutLinks(text: string): string {
  return text.replaceAll('://', ' ')
}
