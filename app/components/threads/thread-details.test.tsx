import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { ThreadView } from '../../../contract/views/chat/thread'
import { ThreadDetails } from './thread-details'

it('marks what a website said of its visitor as not verified', () => {
  const thread = {
    id: 't1',
    agent_id: null,
    meta_origin: 'https://shop.example',
    external_user_id: 'customer-7',
    external_user_email: 'ada@shop.example',
    external_session_id: null,
  } as ThreadView
  const html = renderToStaticMarkup(<ThreadDetails thread={thread} />)
  expect(html).toContain('customer-7 <span class="text-soft">(not verified)</span>')
  expect(html).toContain('ada@shop.example <span class="text-soft">(not verified)</span>')
  expect(html.match(/not verified/g)).toHaveLength(2)
})
