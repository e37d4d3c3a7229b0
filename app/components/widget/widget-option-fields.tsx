import { isWidgetText, widgetChoices } from '../../../contract/texts/widget-snippet'
import { controlProps, FieldFrame, type FormField } from '../ui/forms/field'

const labels: Record<string, Record<string, string>> = {
  mode: { bubble: 'Bubble in the corner', inline: 'Inline, where the tag is' },
  position: { right: 'Right', left: 'Left' },
  theme: { auto: "Visitor's preference", light: 'Light', dark: 'Dark' },
  lang: { '': 'Same as the page', en: 'English', de: 'Deutsch', es: 'Español', fr: 'Français', pl: 'Polski' },
}

const names: Record<string, string> = { mode: 'Mode', position: 'Position', theme: 'Theme', lang: 'Language' }

const texts = [
  { name: 'color', label: 'Color', placeholder: '#00718f', problem: 'Enter a color such as #7a3e00.' },
  { name: 'title', label: 'Title', placeholder: 'Ask a question', problem: '' },
  {
    name: 'contact',
    label: 'Contact',
    placeholder: 'https://www.example.com/contact',
    problem: 'Enter an https or mailto link.',
  },
]

/** The options of the widget that its page offers, each a field of the form around it. */
export function WidgetOptionFields({ options }: { options: Record<string, string> }) {
  return (
    <>
      {Object.entries(widgetChoices).map(([name, values]) => (
        <FieldFrame key={name} field={fieldOf(name, options)} label={names[name] ?? name} required>
          <select {...controlProps(fieldOf(name, options), false)}>
            {values.map((value) => (
              <option key={value} value={value}>
                {labels[name]?.[value]}
              </option>
            ))}
          </select>
        </FieldFrame>
      ))}
      {texts.map(({ name, label, placeholder, problem }) => {
        const value = options[name]?.trim() ?? ''
        const field = fieldOf(name, options, value === '' || isWidgetText(name, value) ? undefined : [problem])
        return (
          <FieldFrame key={name} field={field} label={label}>
            <input {...controlProps(field, false)} placeholder={placeholder} />
          </FieldFrame>
        )
      })}
    </>
  )
}

function fieldOf(name: string, options: Record<string, string>, errors?: string[]): FormField {
  const id = `widget-${name}`
  return {
    id,
    name,
    formId: widgetFormId,
    errorId: `${id}-error`,
    descriptionId: `${id}-hint`,
    initialValue: options[name] ?? '',
    errors,
  }
}

export const widgetFormId = 'widget-options'
