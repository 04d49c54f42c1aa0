import { useEffect, useEffectEvent, useId } from 'react'
import { t } from '#src/i18n/t.ts'
import { Button } from '#src/ui/Button.tsx'
import { captchaQuestion } from '#src/ui/captchaQuestion.ts'
import { TextInput } from '#src/ui/Field.tsx'
import styles from './PostDialog.module.css'
import type { Post } from './usePost.ts'

/** The captcha, in one line with the button that sends the form, and above it how much of the pictures is sent. */
export function CaptchaField({ post: { captcha, fieldProps, progress, chosen } }: { post: Post }) {
  const questionId = useId()
  const { challenge, answer, setAnswer, loading, load } = captcha
  const loadFirst = useEffectEvent(() => challenge ?? load())

  useEffect(() => void loadFirst(), [])

  return (
    <>
      {progress !== null && chosen.images.length > 0 && (
        <progress className={styles.progress} value={progress} aria-label={t('image.progress')} />
      )}
      <div className={styles.captcha}>
        <span className={styles.question} id={questionId} aria-live="polite">
          {challenge ? captchaQuestion(challenge) : loading ? t('ui.loading') : t('board.captchaNotLoaded')}
        </span>{' '}
        <Button variant="text" size="small" title={t('board.newCaptcha')} disabled={loading} onClick={load}>
          {t('board.renewCaptcha')}
        </Button>
        <input type="hidden" name="challengeId" value={challenge?.challengeId ?? ''} />
        <TextInput
          {...fieldProps('captchaAnswer')}
          mono
          inputMode="numeric"
          autoComplete="off"
          placeholder={t('board.captchaAnswer')}
          aria-label={t('board.captcha')}
          aria-describedby={questionId}
          value={answer}
          onChange={(event) => setAnswer(event.target.value)}
        />
      </div>
    </>
  )
}
