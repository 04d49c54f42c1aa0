import { EyeOff, Film, Link2Off, ShieldCheck, TimerOff, Trash2 } from 'lucide-react'
import { t } from '#src/i18n/t.ts'
import { type Feature, FeatureList } from '#src/ui/FeatureList.tsx'

const listFeatures = (): Feature[] => [
  [ShieldCheck, t('image.exifFeature'), t('image.exifFeatureText')],
  [TimerOff, t('image.expiryFeature'), t('image.expiryFeatureText')],
  [EyeOff, t('image.unlistedFeature'), t('image.unlistedFeatureText')],
  [Film, t('image.formatsFeature'), t('image.formatsFeatureText')],
  [Trash2, t('image.deleteFeature'), t('image.deleteFeatureText')],
  [Link2Off, t('image.noAccountFeature'), t('image.noAccountFeatureText')],
]

export const ShareFeatures = () => <FeatureList features={listFeatures()} />
