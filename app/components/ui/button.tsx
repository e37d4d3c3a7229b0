import { Link, type LinkProps } from '@remix-run/react'
import { type ButtonHTMLAttributes, forwardRef } from 'react'
import { classes } from './classes'

export type ButtonVariant = 'plain' | 'primary' | 'danger' | 'danger-solid' | 'quiet' | 'quiet-danger' | 'link'

const variants: Record<ButtonVariant, string> = {
  plain: 'border-line-strong bg-surface font-medium text-text shadow-low enabled-hover:bg-sunken',
  primary: 'border-accent bg-accent font-medium text-on-accent shadow-low enabled-hover:bg-accent-strong',
  danger: 'border-line-strong bg-surface font-medium text-danger shadow-low enabled-hover:bg-danger-soft',
  'danger-solid': 'border-danger bg-danger font-medium text-on-accent shadow-low enabled-hover:brightness-110',
  quiet: 'border-transparent font-medium text-soft enabled-hover:bg-sunken enabled-hover:text-text',
  'quiet-danger': 'border-transparent font-medium text-soft enabled-hover:bg-danger-soft enabled-hover:text-danger',
  link: 'border-transparent !p-0 text-start font-medium text-accent-strong enabled-hover:underline',
}

/** The classes of a button, also for links and for the summaries that open menus. */
export function buttonClasses(variant: ButtonVariant = 'plain', className?: string): string {
  return classes(
    'inline-flex items-center justify-center gap-1.5 rounded-small border px-3 py-1.5 leading-5',
    'no-underline transition-colors duration-100 disabled:opacity-50 aria-disabled:opacity-50',
    '[&_svg]:size-4 [&_svg]:shrink-0',
    variants[variant],
    className,
  )
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: ButtonVariant
  /** Whether the action it started is still in progress. */
  pending?: boolean
}

export const Button = forwardRef<HTMLButtonElement, ButtonProps>(function Button(
  { variant, pending, className, children, disabled, type = 'submit', ...rest },
  ref,
) {
  return (
    <button
      ref={ref}
      type={type}
      className={buttonClasses(variant, className)}
      disabled={disabled || pending}
      aria-busy={pending || undefined}
      {...rest}
    >
      {pending && <Spinner />}
      {children}
    </button>
  )
})

export function LinkButton({ variant, className, ...rest }: LinkProps & { variant?: ButtonVariant }) {
  return <Link className={buttonClasses(variant, className)} {...rest} />
}

export function Spinner() {
  return (
    <svg viewBox="0 0 16 16" className="size-4 animate-spin" aria-hidden="true">
      <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="2" opacity="0.25" />
      <path d="M14 8a6 6 0 0 0-6-6" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  )
}
