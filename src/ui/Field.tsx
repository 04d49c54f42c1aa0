import {
  type ComponentProps,
  createContext,
  type ReactNode,
  type Ref,
  useContext,
  useId,
  useImperativeHandle,
} from 'react'
import { cx } from './cx.ts'
import styles from './Field.module.css'
import { useEarlyChange } from './hydration.ts'
import selectStyles from './Select.module.css'

type FieldContext = { id: string; describedBy: string | undefined; invalid: boolean }
const FieldContext = createContext<FieldContext | null>(null)

/** Returns the props that connect a control with the label, hint and error of its Field. */
export function useFieldProps() {
  const field = useContext(FieldContext)
  if (!field) return {}
  return { id: field.id, 'aria-describedby': field.describedBy, 'aria-invalid': field.invalid || undefined }
}

type Counter = { text: string; max: number }

export const counterIfNearLimit = (text: string, max: number): Counter | undefined =>
  text.length > max * 0.8 ? { text, max } : undefined

/** Counts code points, like the server. */
const lengthOf = (text: string) => [...text].length

type FieldProps = {
  label: string
  hint?: ReactNode
  error?: string | null
  counter?: Counter | undefined
  children: ReactNode
}

export function Field({ label, hint, error, counter, children }: FieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  const errorId = `${id}-error`
  const describedBy = cx(hint ? hintId : undefined, error ? errorId : undefined) || undefined
  return (
    <div className={styles.field}>
      <div className={cx('spread', styles.head)}>
        <label className={styles.label} htmlFor={id}>
          {label}
        </label>{' '}
        {counter && (
          <span className={cx('data', lengthOf(counter.text) > counter.max && styles.over)}>
            {lengthOf(counter.text)} / {counter.max}
          </span>
        )}
      </div>
      <FieldContext value={{ id, describedBy, invalid: Boolean(error) }}>{children}</FieldContext>
      {error && (
        <p className={styles.error} id={errorId}>
          {error}
        </p>
      )}
      {hint && (
        <p className="hint" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  )
}

/** `onChange` also reports what the visitor entered before hydration. */
export type ControlProps<Tag extends 'input' | 'textarea' | 'select', C> = Omit<
  ComponentProps<Tag>,
  'onChange' | 'ref'
> & { onChange?: (event: { target: C }) => void }

export function TextInput({
  mono,
  ref,
  className,
  ...rest
}: { mono?: boolean; ref?: Ref<HTMLInputElement> } & ControlProps<'input', HTMLInputElement>) {
  const control = useEarlyChange(rest.onChange)
  useImperativeHandle(ref, () => control.current as HTMLInputElement, [control])
  return (
    <input {...useFieldProps()} {...rest} ref={control} className={cx(styles.input, mono && styles.mono, className)} />
  )
}

export function TextArea({
  mono,
  className,
  ...rest
}: { mono?: boolean } & ControlProps<'textarea', HTMLTextAreaElement>) {
  return (
    <textarea
      {...useFieldProps()}
      {...rest}
      ref={useEarlyChange(rest.onChange)}
      className={cx(styles.input, mono && styles.mono, className)}
    />
  )
}

export function Select({ className, ...rest }: ControlProps<'select', HTMLSelectElement>) {
  return (
    <select
      {...useFieldProps()}
      {...rest}
      ref={useEarlyChange(rest.onChange)}
      className={cx(styles.input, selectStyles.select, className)}
    />
  )
}
