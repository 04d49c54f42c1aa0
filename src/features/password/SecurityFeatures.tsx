import { CloudOff, Dices, Shapes, ShieldCheck } from 'lucide-react'
import { t } from '#src/i18n/t.ts'
import { passwordClasses } from '#src/lib/password.ts'
import { type Feature, FeatureList } from '#src/ui/FormPage.tsx'

const characterCount = Object.values(passwordClasses).join('').length

const listFeatures = (): Feature[] => [
  [ShieldCheck, t('password.randomTitle'), t('password.randomText')],
  [Dices, t('password.evenTitle'), t('password.evenText', { count: characterCount })],
  [Shapes, t('password.classesTitle'), t('password.classesText')],
  [CloudOff, t('password.localTitle'), t('password.localText')],
]

export const SecurityFeatures = () => <FeatureList title={t('password.securityFeatures')} features={listFeatures()} />
