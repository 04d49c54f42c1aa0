import { RefreshCw } from 'lucide-react'
import { type Ref, useEffect, useEffectEvent, useId } from 'react'
import { Button } from '#src/ui/Button.tsx'
import { Field, TextInput } from '#src/ui/Field.tsx'
import styles from './PostDialog.module.css'
import type { Captcha } from './useCaptcha.ts'

type CaptchaFieldProps = {
  captcha: Captcha
  invalid: boolean
  autoFocus: boolean | undefined
  inputRef: Ref<HTMLInputElement>
}

export function CaptchaField({ captcha, invalid, autoFocus, inputRef }: CaptchaFieldProps) {
  const questionId = useId()
  const { challenge, answer, setAnswer, loading, load } = captcha
  const loadFirst = useEffectEvent(() => challenge ?? load())

  useEffect(() => void loadFirst(), [])

  return (
    <Field label="Captcha">
      <div className={styles.captcha}>
        <div className={styles.ask}>
          <span className={styles.question} id={questionId} aria-live="polite">
            {challenge?.question ?? (loading ? 'Loading…' : 'Not loaded')}
          </span>
          <Button variant="text" title="New captcha" disabled={loading} onClick={load}>
            <RefreshCw className="icon icon-s" />
            New
          </Button>
        </div>
        <input type="hidden" name="challengeId" value={challenge?.challengeId ?? ''} />
        <TextInput
          ref={inputRef}
          mono
          autoFocus={autoFocus}
          name="captchaAnswer"
          inputMode="numeric"
          autoComplete="off"
          placeholder="Answer"
          aria-describedby={questionId}
          aria-invalid={invalid || undefined}
          value={answer}
          onChange={(event) => setAnswer(event.target.value)}
        />
      </div>
    </Field>
  )
}
