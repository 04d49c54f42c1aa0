import { Check } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { rich, t } from '#src/i18n/t.ts'
import { focusInView } from '#src/lib/focus.ts'
import { CopyTextButton } from './CopyButton.tsx'
import { cx } from './cx.ts'
import { Field, TextArea } from './Field.tsx'
import styles from './ResultPanel.module.css'
import { Time } from './Time.tsx'

const deleteHints = { image: () => t('ui.deleteImageHint'), paste: () => t('ui.deletePasteHint') }

type ResultPanelProps = {
  noun: keyof typeof deleteHints
  result: { url: string; deleteUrl: string; expiresAt: Date }
  message: string
  urlLabel: string
  copyLabel: string
  children: ReactNode
}

/** Shows the link to a new image or paste. The panel takes the focus when a new result appears. */
export function ResultPanel({ noun, result, message, urlLabel, copyLabel, children }: ResultPanelProps) {
  const panel = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another result takes the focus again
  useEffect(() => focusInView(panel.current), [result])

  return (
    <section className={styles.result} ref={panel} tabIndex={-1} aria-label={message}>
      <p className="done" role="status">
        <Check className="icon accent" />
        {message}
      </p>
      <div className={`stack ${styles.link}`}>
        <Field label={urlLabel} hint={rich('ui.expires', { time: () => <Time date={result.expiresAt} /> })}>
          <UrlField url={result.url} />
        </Field>
        <div className={cx('cluster', styles.buttons)}>
          <CopyTextButton variant="primary" text={result.url} label={copyLabel} />
          {children}
        </div>
      </div>
      <div className={`stack ${styles.link}`}>
        <Field label={t('ui.deleteLink')} hint={deleteHints[noun]()}>
          <UrlField url={result.deleteUrl} />
        </Field>
        <div className={cx('cluster', styles.buttons)}>
          <CopyTextButton text={result.deleteUrl} label={t('ui.copyDeleteLink')} />
        </div>
      </div>
    </section>
  )
}

/** A text area, because it wraps: a phone's line is shorter than most URLs. */
function UrlField({ url }: { url: string }) {
  return (
    <TextArea
      mono
      className={styles.url}
      readOnly
      rows={2}
      spellCheck={false}
      value={url}
      onFocus={(event) => event.currentTarget.select()}
    />
  )
}
