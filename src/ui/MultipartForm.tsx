import { Check } from 'lucide-react'
import type { ComponentProps, FormEvent, ReactNode } from 'react'
import { focusOnMount } from '#src/lib/focus.ts'

type MultipartFormProps = ComponentProps<'form'> & { onSubmit: (event: FormEvent<HTMLFormElement>) => void }

/** A form that browsers without script send to a documented call. With script, `onSubmit` sends it. */
export const MultipartForm = ({ onSubmit, ...rest }: MultipartFormProps) => (
  <form
    method="post"
    encType="multipart/form-data"
    {...rest}
    onSubmit={(event) => {
      event.preventDefault()
      onSubmit(event)
    }}
  />
)

/** Says that a form worked, in its place, and takes the focus. */
export const Done = ({ children }: { children: ReactNode }) => (
  <p className="done" role="status" tabIndex={-1} ref={focusOnMount}>
    <Check className="icon accent" />
    {children}
  </p>
)
