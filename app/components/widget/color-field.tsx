import { isWidgetText } from '../../../contract/texts/widget-snippet'
import { classes } from '../ui/classes'
import { controlProps, FieldFrame, type FormField } from '../ui/forms/field'
import { textContrast } from './contrast'

interface ColorFieldProps {
  field: FormField
  color: string
  choose: (color: string) => void
}

const swatches = ['#00718f', '#1f5fae', '#7a3e9d', '#b3261e', '#2e6b34', '#222222']

/** The color of the widget: swatches, a field for another one, and the contrast of the text on it. */
export function ColorField({ field, color, choose }: ColorFieldProps) {
  const shown = isWidgetText('color', color) ? color : swatches[0]
  const contrast = textContrast(shown ?? '')
  const passes = contrast.ratio >= 4.5 ? 'passes AA' : 'fails AA'
  const hint = `${contrast.text} text on it: ${contrast.ratio.toFixed(1)} : 1, ${passes}`
  return (
    <FieldFrame field={field} label="Color" hint={hint}>
      <div className="flex flex-wrap items-center gap-2">
        <div className="needs-script flex flex-wrap gap-2">
          {swatches.map((swatch) => (
            <button
              key={swatch}
              type="button"
              aria-label={swatch}
              aria-pressed={swatch === shown?.toLowerCase()}
              onClick={() => choose(swatch)}
              style={{ backgroundColor: swatch }}
              className={classes(
                'size-7 rounded-full border-2 border-surface outline-offset-2',
                swatch === shown?.toLowerCase() && 'ring-2 ring-accent',
              )}
            />
          ))}
        </div>
        <input
          {...controlProps(field, true)}
          defaultValue={undefined}
          value={color}
          onChange={(event) => choose(event.currentTarget.value)}
          placeholder={swatches[0]}
          className={`${controlProps(field, true).className} !w-28`}
        />
      </div>
    </FieldFrame>
  )
}
