import type { AppLoadContext } from '@remix-run/node'
import type { PublicChatInput } from '../../../contract/chat/thread'
import { maxStoredHeaderLength } from '../../../contract/values/limits'
import type { ChatMeta } from '../../../server/services/chat/chat-store'
import { visitorLanguage } from '../session/visitor-language.server'

/** What a chat stores about the visitor who asks. */
export function visitorMeta({ clientIp }: Pick<AppLoadContext, 'clientIp'>, request: Request): ChatMeta {
  return {
    origin: storedHeader(request, 'origin'),
    ip: clientIp,
    userAgent: storedHeader(request, 'user-agent'),
    language: visitorLanguage(request),
  }
}

function storedHeader({ headers }: Request, name: string): string | null {
  return headers.get(name)?.slice(0, maxStoredHeaderLength) ?? null
}

/** What the host page says of its visitor. */
export function externalMeta(body: PublicChatInput): Partial<ChatMeta> {
  return {
    externalUserId: body.external_user_id || null,
    externalUserEmail: body.external_user_email || null,
    externalSessionId: body.external_session_id || null,
  }
}
