import { RefreshCw } from 'lucide-react'
import { type Ref, useEffect, useEffectEvent, useId } from 'react'
import { t } from '#src/i18n/t.ts'
import { Button } from '#src/ui/Button.tsx'
import { captchaQuestion } from '#src/ui/captchaQuestion.ts'
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
    <Field label={t('board.captcha')}>
      <div className={styles.captcha}>
        <div className={styles.ask}>
          <span className={styles.question} id={questionId} aria-live="polite">
            {challenge ? captchaQuestion(challenge) : loading ? t('ui.loading') : t('board.captchaNotLoaded')}
          </span>
          <Button variant="text" title={t('board.newCaptcha')} disabled={loading} onClick={load}>
            <RefreshCw className="icon icon-s" />
            {t('board.renewCaptcha')}
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
          placeholder={t('board.captchaAnswer')}
          aria-describedby={questionId}
          aria-invalid={invalid || undefined}
          value={answer}
          onChange={(event) => setAnswer(event.target.value)}
        />
      </div>
    </Field>
  )
}
