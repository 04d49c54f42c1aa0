import { ArrowLeft, Download, ExternalLink } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type ImageShareView, isTall, SHARE_BOX } from '#src/contract/image.ts'
import { rich, t } from '#src/i18n/t.ts'
import { fitInside } from '#src/lib/fitInside.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { ButtonLink } from '#src/ui/Button.tsx'
import { CopyTextButton } from '#src/ui/CopyButton.tsx'
import { ReportLink } from '#src/ui/ReportLink.tsx'
import { Time } from '#src/ui/Time.tsx'
import { TimeRemaining } from '#src/ui/TimeRemaining.tsx'
import styles from './image.module.css'

export function ShareScreen({ share, now }: { share: ImageShareView; now: Date }) {
  const { image, filename, views } = share
  return (
    <div className={styles.screen}>
      <SharedImage share={share} />
      <div className={`cluster ${styles.foot}`}>
        <div className={`cluster ${styles.facts}`}>
          <h2 className={styles.name}>{filename}</h2>
          <p className="data">{rich('ui.created', { time: () => <Time date={share.createdAt} /> })}</p>
          <p className="data">{t('ui.views', { count: views })}</p>
          <p className="data">
            {image.width} × {image.height}
          </p>
          <TimeRemaining expiresAt={share.expiresAt} now={now} />
          <p className="data">
            <ReportLink path={`/image-share/${share.id}`} />
          </p>
        </div>
        <div className={`cluster ${styles.keys}`}>
          <CopyTextButton
            variant="primary"
            text={() => `${location.origin}/image-share/${share.id}`}
            label={t('image.copyLink')}
          />
          <ButtonLink href={image.url} download={filename}>
            <Download className="icon" />
            {t('image.download')}
          </ButtonLink>
          <ButtonLink href={image.url} target="_blank" rel="noopener">
            <ExternalLink className="icon" />
            {t('image.openInNewTab')}
          </ButtonLink>
        </div>
      </div>
    </div>
  )
}

function SharedImage({ share: { image, display, filename } }: { share: ImageShareView }) {
  const element = useRef<HTMLImageElement>(null)
  const [state, setState] = useState<'unknown' | 'loading' | 'loaded' | 'failed'>('unknown')
  const tall = isTall(image)
  const size = fitInside(image, tall ? { ...SHARE_BOX, height: image.height } : SHARE_BOX)

  useEffect(() => {
    // The image may have loaded or failed before hydration.
    const { complete = false, naturalWidth = 0 } = element.current ?? {}
    setState(complete ? (naturalWidth > 0 ? 'loaded' : 'failed') : 'loading')
  }, [])

  if (state === 'failed') return <ShareFailed>{t('image.loadImageFailed')}</ShareFailed>
  return (
    <div className={styles.frame} data-tall={tall || undefined}>
      {state === 'loading' && (
        <p className={styles.loading} role="status">
          {t('image.loading')}
        </p>
      )}
      <img
        ref={element}
        src={display.url}
        width={size.width}
        height={size.height}
        alt={filename}
        onLoad={() => setState('loaded')}
        onError={() => setState('failed')}
      />
    </div>
  )
}

export function ShareFailed({ children, action }: { children: string; action?: ReactNode }) {
  return (
    <div className="stack">
      <Alert>{children}</Alert>
      <p className={`cluster ${styles.keys}`}>
        {action}
        <ButtonLink href="/image-sharing">
          <ArrowLeft className="icon" />
          {t('ui.backToImageSharing')}
        </ButtonLink>
      </p>
    </div>
  )
}
