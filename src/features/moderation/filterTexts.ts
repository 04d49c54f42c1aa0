import type { FilterEffect, FilterField, FilterKind } from '#src/contract/filters.ts'
import { t } from '#src/i18n/t.ts'

type KindText = { label: string; hint: string; placeholder: string }

export const kindTexts: Record<FilterKind, () => KindText> = {
  literal: () => ({
    label: t('field.text'),
    hint: t('moderation.textHint'),
    placeholder: t('moderation.textPlaceholder'),
  }),
  pattern: () => ({
    label: t('moderation.pattern'),
    hint: t('moderation.patternHint'),
    placeholder: '\\bv[i1!]agra\\b',
  }),
  domain: () => ({
    label: t('moderation.domain'),
    hint: t('moderation.domainHint'),
    placeholder: 'spam.example',
  }),
}

type ChoiceText = { label: string; hint: string }

export const fieldTexts: Record<FilterField, () => ChoiceText> = {
  post: () => ({ label: t('moderation.fieldPost'), hint: t('moderation.fieldPostHint') }),
  name: () => ({ label: t('moderation.fieldName'), hint: t('moderation.fieldNameHint') }),
  paste: () => ({ label: t('site.pastes'), hint: t('moderation.fieldPasteHint') }),
}

export const effectTexts: Record<FilterEffect, () => ChoiceText> = {
  refuse: () => ({ label: t('moderation.effectRefuse'), hint: t('moderation.effectRefuseHint') }),
  hold: () => ({ label: t('moderation.effectHold'), hint: t('moderation.effectHoldHint') }),
  replace: () => ({ label: t('moderation.effectReplace'), hint: t('moderation.effectReplaceHint') }),
}
