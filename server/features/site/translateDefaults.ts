import { DEFAULT_LANGUAGE } from '#src/contract/languages.ts'
import { defaultSite, type Site } from '#src/contract/site.ts'
import { currentLanguage } from '#src/i18n/currentLanguage.ts'
import { t } from '#src/i18n/t.ts'

type Texts = Pick<Site, 'tagline' | 'description' | 'about' | 'radio'>

/** Returns the site with its default texts in the language of the page. Texts of the operator stay as they are. */
export function translateDefaults<S extends Texts>(site: S): S {
  if (currentLanguage() === DEFAULT_LANGUAGE) return site
  const { tagline, description, about, radio } = defaultSite
  return {
    ...site,
    tagline: site.tagline === tagline ? t('defaults.tagline') : site.tagline,
    description: site.description === description ? t('defaults.description') : site.description,
    about: {
      story: isSame(site.about.story, about.story) ? [t('defaults.story1'), t('defaults.story2')] : site.about.story,
      mission: isSame(site.about.mission, about.mission)
        ? [t('defaults.mission1'), t('defaults.mission2'), t('defaults.mission3')]
        : site.about.mission,
    },
    radio: {
      ...site.radio,
      description: site.radio.description === radio.description ? t('defaults.radio') : site.radio.description,
    },
  }
}

const isSame = (one: string[], other: string[]) => one.join('\n') === other.join('\n')
