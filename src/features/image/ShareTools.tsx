import { Download } from 'lucide-react'
import { DEFAULT_EXPIRY } from '#src/contract/sharing.ts'
import { t } from '#src/i18n/t.ts'
import { Button } from '#src/ui/Button.tsx'
import { useHydrated } from '#src/ui/hydration.ts'
import { Scripted } from '#src/ui/Scripted.tsx'
import styles from './ShareTools.module.css'
import { shareXConfig } from './shareX.ts'

export function ShareTools({ siteName, siteUrl }: { siteName: string; siteUrl: string }) {
  // Uses the visitor's origin after hydration, because a site can have several origins.
  const origin = useHydrated() ? location.origin : siteUrl

  function download() {
    const config = new Blob([shareXConfig(siteName, origin)], { type: 'application/json' })
    const link = document.createElement('a')
    link.href = URL.createObjectURL(config)
    link.download = 'image-sharing.sxcu'
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 1000)
  }

  return (
    <section className={styles.tools}>
      <h2 className="label">{t('image.otherWays')}</h2>
      <Scripted>
        <p>{t('image.shareX')}</p>
      </Scripted>
      <Button size="small" onClick={download}>
        <Download className="icon icon-s" />
        {t('image.shareXConfiguration')}
      </Button>
      <p>{t('image.inTerminal')}</p>
      <pre className={styles.command}>
        <code>{`curl -F image=@picture.png \\\n  -F expiryHours=${DEFAULT_EXPIRY} \\\n  ${origin}/api/image-share`}</code>
      </pre>
    </section>
  )
}
