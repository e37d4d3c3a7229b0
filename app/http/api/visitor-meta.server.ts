import type { AppLoadContext } from '@remix-run/node'
import type { PublicChatInput } from '../../../contract/thread'
import type { ChatMeta } from '../../../server/services/chat/chat-store'
import { visitorLanguage } from '../session/visitor-language.server'

/** What a chat stores about the visitor who asks. */
export function visitorMeta({ clientIp }: Pick<AppLoadContext, 'clientIp'>, request: Request): ChatMeta {
  return {
    origin: request.headers.get('origin'),
    ip: clientIp,
    userAgent: request.headers.get('user-agent'),
    language: visitorLanguage(request),
  }
}

/** What the host page says of its visitor. */
export function externalMeta(body: PublicChatInput): Partial<ChatMeta> {
  return {
    externalUserId: body.external_user_id || null,
    externalUserEmail: body.external_user_email || null,
    externalSessionId: body.external_session_id || null,
  }
}
