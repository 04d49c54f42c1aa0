import { Download, EyeOff, Film, Link2Off, ShieldAlert, ShieldCheck, TimerOff, Trash2 } from 'lucide-react'
import { DEFAULT_EXPIRY } from '#src/contract/fields.ts'
import { rich, t } from '#src/i18n/t.ts'
import { downloadFile } from '#src/lib/downloadFile.ts'
import { Button } from '#src/ui/Button.tsx'
import { type Feature, FeatureList, OtherWays } from '#src/ui/FormPage.tsx'
import { useVisitorOrigin } from '#src/ui/hydration.ts'
import { Scripted } from '#src/ui/Scripted.tsx'
import { useSite } from '#src/ui/site.ts'
import styles from './image.module.css'

export function ShareAside({ siteUrl }: { siteUrl: string }) {
  const { name } = useSite()
  const origin = useVisitorOrigin(siteUrl)
  const download = () => downloadFile('image-sharing.sxcu', shareXConfig(name, origin), 'application/json')

  return (
    <>
      <FeatureList features={listFeatures()} />
      <OtherWays title={t('image.otherWays')}>
        <Scripted>
          <p className="small">{t('image.shareX')}</p>
        </Scripted>
        <Button size="small" onClick={download}>
          <Download className="icon icon-s" />
          {t('image.shareXConfiguration')}
        </Button>
        <p className="small">{t('image.inTerminal')}</p>
        <pre translate="no">
          <code>{`curl -F image=@picture.png \\\n  -F expiryHours=${DEFAULT_EXPIRY} \\\n  ${origin}/api/image-share`}</code>
        </pre>
      </OtherWays>
    </>
  )
}

/** Returns the text of a .sxcu file, which adds this site to ShareX as an uploader. */
function shareXConfig(siteName: string, origin: string): string {
  const config = {
    Version: '17.0.0',
    Name: `${siteName} Image Sharing`,
    DestinationType: 'ImageUploader',
    RequestMethod: 'POST',
    RequestURL: `${origin}/api/image-share`,
    Body: 'MultipartFormData',
    Arguments: { expiryHours: String(DEFAULT_EXPIRY) },
    FileFormName: 'image',
    URL: '{json:url}',
    ThumbnailURL: '{json:imageUrl}',
    DeletionURL: '{json:deleteUrl}',
    ErrorMessage: '{json:error}',
  }
  return `${JSON.stringify(config, null, 2)}\n`
}

const listFeatures = (): Feature[] => [
  [ShieldCheck, t('image.exifFeature'), t('image.exifFeatureText')],
  [TimerOff, t('image.expiryFeature'), t('image.expiryFeatureText')],
  [EyeOff, t('image.unlistedFeature'), t('image.unlistedFeatureText')],
  [Film, t('image.formatsFeature'), t('image.formatsFeatureText')],
  [Trash2, t('image.deleteFeature'), t('image.deleteFeatureText')],
  [Link2Off, t('image.noAccountFeature'), t('image.noAccountFeatureText')],
]

export function ShareWarning() {
  return (
    <div className={styles.warning} role="note" aria-label={t('image.warning')}>
      <ShieldAlert className="icon" />
      <ul>
        <li>{rich('image.warningPublic', { b: (text) => <strong>{text}</strong> })}</li>
        <li>{t('image.warningLiability')}</li>
        <li>{t('image.warningLaws')}</li>
        <li>{t('image.warningExpiry')}</li>
      </ul>
    </div>
  )
}
