import { getWidgetSnippet } from '../../../contract/api/visitors'
import { widgetSnippet } from '../../../contract/texts/widget-snippet'
import { methods, openApi } from '../../http/api/api.server'

/** The tag that puts the widget on a page, with a placeholder for the public key. */
const route = methods({
  GET: openApi({
    operation: getWidgetSnippet,
    handler: ({ context }) => ({
      option: { key: 'agent_widget_snippet', value: widgetSnippet(context.settings.publicUrl) },
    }),
  }),
})

export const loader = route
export const action = route
