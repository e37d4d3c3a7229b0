import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { type LogoType, maxLogoBytes } from '../../../contract/values/limits'
import type { Database } from '../../../db/database'
import { agentLogos, agents } from '../../../db/schema/agents'
import type { Actor } from '../../actor'
import { AppError } from '../../errors'
import { authorize, notFound } from '../../policy'
import { recordEvent } from '../audit/record-event'
import type { Picture } from '../pictures/picture'
import { isSafeSvg, pictureType } from '../pictures/picture-type'
import { type AgentRef, findAgent } from './agents'

/** Pictures that widgets show as the logo of an agent. */
export function createLogos({ db }: { db: Database }) {
  /** Returns the logo of an agent, for anybody: it is on the pages that have the widget. Throws not_found. */
  async function get(agentId: string): Promise<Picture> {
    const [row] = await db.read.select().from(agentLogos).where(eq(agentLogos.agentId, agentId))
    if (!row) throw notFound()
    return { mediaType: row.mediaType, content: new Uint8Array(row.content) }
  }

  /** Replaces the logo. Throws too_large above 64 KB, and invalid_input for other types than PNG, JPEG, WebP and SVG. */
  async function save(actor: Actor, ref: AgentRef, content: Uint8Array): Promise<void> {
    authorize(actor, 'agent:edit', ref.organizationId)
    await store(actor, ref, { content: new Uint8Array(content), mediaType: typeOf(content) })
  }

  /** Throws not_found for an agent of another organization. */
  async function remove(actor: Actor, ref: AgentRef): Promise<void> {
    authorize(actor, 'agent:edit', ref.organizationId)
    await store(actor, ref, null)
  }

  async function store(actor: Actor, ref: AgentRef, logo: Picture | null): Promise<void> {
    const { agentId, organizationId } = ref
    const logoVersion = logo && createHash('sha256').update(logo.content).digest('base64url').slice(0, 12)
    await db.writeAlone(agentId, async (tx) => {
      const { name } = await findAgent(tx, ref)
      await tx.delete(agentLogos).where(eq(agentLogos.agentId, agentId))
      if (logo) await tx.insert(agentLogos).values({ agentId, ...logo })
      await tx.update(agents).set({ logoVersion }).where(eq(agents.id, agentId))
      const subject = { id: agentId, name }
      await recordEvent(tx, actor, { organizationId, subject, action: 'agent.edited', changes: [{ field: 'logo' }] })
    })
  }

  return { get, save, remove }
}

function typeOf(content: Uint8Array): LogoType {
  if (content.length > maxLogoBytes)
    throw new AppError('too_large', `A logo can have at most ${maxLogoBytes / 1024} KB.`)
  const type = pictureType(content) ?? (isSafeSvg(content) ? 'image/svg+xml' : null)
  if (type === null) throw new AppError('invalid_input', 'Choose a PNG, JPEG, WebP or SVG picture without scripts.')
  return type
}
