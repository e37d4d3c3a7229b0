import { isWidgetText, widgetChoices } from '../../../contract/texts/widget-snippet'
import { controlProps, FieldFrame, type FormField } from '../ui/forms/field'

const labels: Record<string, Record<string, string>> = {
  mode: { bubble: 'Bubble in the corner', inline: 'Inline, where the tag is' },
  position: { right: 'Right', left: 'Left' },
  theme: { auto: "Visitor's preference", light: 'Light', dark: 'Dark' },
  lang: {
    '': 'Same as the page',
    en: 'English',
    de: 'Deutsch',
    es: 'Español',
    fr: 'Français',
    pl: 'Polski',
    it: 'Italiano',
    pt: 'Português',
    nl: 'Nederlands',
    cs: 'Čeština',
    uk: 'Українська',
    ja: '日本語',
    zh: '中文',
    ar: 'العربية',
  },
}

const names: Record<string, string> = { mode: 'Mode', position: 'Position', theme: 'Theme', lang: 'Language' }

interface OptionFieldsProps {
  /** The options by name, as they are entered. */
  options: Record<string, string>
}

/** The options of the widget that have fixed values. */
export function WidgetChoiceFields({ options }: OptionFieldsProps) {
  return Object.entries(widgetChoices).map(([name, values]) => (
    <FieldFrame key={name} field={widgetField(name, options)} label={names[name] ?? name} required>
      <select {...controlProps(widgetField(name, options), false)}>
        {values.map((value) => (
          <option key={value} value={value}>
            {labels[name]?.[value]}
          </option>
        ))}
      </select>
    </FieldFrame>
  ))
}

interface WidgetTextFieldProps extends OptionFieldsProps {
  name: string
  label: string
  placeholder: string
  hint?: string
  /** What is wrong with a text that the widget would ignore. */
  problem?: string
}

/** An option of the widget that is a text. */
export function WidgetTextField({ name, label, placeholder, hint, problem = '', options }: WidgetTextFieldProps) {
  const value = options[name]?.trim() ?? ''
  const field = widgetField(name, options, value === '' || isWidgetText(name, value) ? undefined : [problem])
  return (
    <FieldFrame field={field} label={label} hint={hint}>
      <input {...controlProps(field, hint !== undefined)} placeholder={placeholder} />
    </FieldFrame>
  )
}

export function widgetField(name: string, options: Record<string, string>, errors?: string[]): FormField {
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
