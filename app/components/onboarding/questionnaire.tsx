import { type SubmissionResult, useForm } from '@conform-to/react'
import { useNavigation } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import type { OnboardingInput } from '../../../contract/organizations/organization'
import { companySizes, positions, referralSources, sectors } from '../../../contract/values/enumerations'
import { useHydrated } from '../ui/browser/use-hydrated'
import { Button } from '../ui/button'
import { classes } from '../ui/classes'
import { UnsavedGuard } from '../ui/dialogs/unsaved-guard'
import { Notice } from '../ui/feedback/notice'
import { OrganizationForm } from '../ui/forms/organization-form'
import { Choice, Choices } from './choices'

const steps = [
  { title: 'Your goals', fields: ['goals'] },
  { title: 'Your organization', fields: ['sector', 'position', 'size'] },
  { title: 'How you found us', fields: ['source'] },
] as const

interface QuestionnaireProps {
  goals: readonly string[]
  lastResult: SubmissionResult<string[]> | undefined
}

/** One form, shown in three steps. Without a script all of it is shown at once. */
export function Questionnaire({ goals, lastResult }: QuestionnaireProps) {
  const hydrated = useHydrated()
  const navigation = useNavigation()
  const [form, fields] = useForm<OnboardingInput>({ id: 'onboarding', lastResult })
  const [step, setStep] = useState(0)
  const [isIncomplete, setIsIncomplete] = useState(false)
  const ref = useRef<HTMLFormElement>(null)
  const pending = navigation.state !== 'idle'

  // Shows the step that has the server's errors.
  useEffect(() => {
    const stepWithError = steps.findIndex((step) => step.fields.some((name) => lastResult?.error?.[name]))
    if (stepWithError >= 0) setStep(stepWithError)
  }, [lastResult])

  useEffect(() => {
    if (!hydrated) return
    ref.current?.querySelector<HTMLElement>(`[data-step="${step}"] :is(input, select)`)?.focus()
  }, [hydrated, step])

  function next() {
    const answers = ref.current ? new FormData(ref.current) : new FormData()
    const isComplete = steps[step]?.fields.every((name) => Boolean(answers.get(name))) ?? true
    setIsIncomplete(!isComplete)
    if (isComplete) setStep(step + 1)
  }

  // Without a script the style sheet shows the other steps as well.
  const stepClasses = (index: number, className?: string) => classes(className, step !== index && 'later-step')
  const isLast = step === steps.length - 1
  return (
    <>
      <UnsavedGuard scope={ref} />
      <OrganizationForm ref={ref} id={form.id} noValidate data-guard className="grid gap-6">
        <p className="needs-script text-meta text-soft" aria-live="polite">
          Step {step + 1} of {steps.length}: {steps[step]?.title}
        </p>
        {form.errors && !isIncomplete && (
          <Notice kind="danger" title="Oops, something went wrong!">
            {form.errors.join(' ')}
          </Notice>
        )}
        <div data-step="0" className={stepClasses(0)}>
          <Choices field={fields.goals} legend="What do you want to do?" values={goals} />
        </div>
        <div data-step="1" className={stepClasses(1, 'grid gap-5')}>
          <Choice field={fields.sector} legend="In which sector do you work?" values={sectors} />
          <Choice field={fields.position} legend="What is your position?" values={positions} />
          <Choice field={fields.size} legend="How large is your organization?" values={companySizes} />
        </div>
        <div data-step="2" className={stepClasses(2)}>
          <Choice field={fields.source} legend="Where did you hear about us?" values={referralSources} />
        </div>
        {isIncomplete && (
          <p role="alert" className="font-medium text-danger">
            {step === 0 ? 'Choose at least one goal' : 'Answer each question to continue'}
          </p>
        )}
        <div className="flex justify-between gap-2">
          {step > 0 ? (
            <Button type="button" onClick={() => setStep(step - 1)}>
              Back
            </Button>
          ) : (
            <span />
          )}
          {!isLast && (
            <Button key="next" type="button" variant="primary" className="needs-script" onClick={next}>
              Next
            </Button>
          )}
          <Button key="finish" variant="primary" className={isLast ? undefined : 'later-step'} pending={pending}>
            {pending ? 'Onboarding' : 'Finish'}
          </Button>
        </div>
      </OrganizationForm>
    </>
  )
}
