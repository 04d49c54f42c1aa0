import { LOGO_PATH } from '#src/contract/siteContent.ts'
import type { SiteLogo } from './siteImages.ts'

/** A wider logo is taken to contain the site's name. */
const NAME_RATIO = 2
/** @param length in CSS px */
const toRem = (length: number) => `${Number((length / 16).toFixed(3))}rem`

/** Returns whether a logo replaces the site's name, and not only its mark. */
export const hasName = ({ page: { width, height } }: Pick<SiteLogo, 'page'>): boolean => width / height >= NAME_RATIO

/**
 * Returns a style sheet that shows the logo instead of the mark in `src/features/site/Wordmark.tsx`. In an image element,
 * a logo would need a script to follow the theme, and code on every page. The size is known before the file loads, and
 * screen readers read the name. The selectors are stronger than the component's.
 */
export function writeLogoStyles(logo: SiteLogo, darkLogo: SiteLogo | null): string {
  const { width, height } = logo.page
  const mark = 'a[data-wordmark]::before'
  const rules = [
    'a[data-wordmark] svg{display:none}',
    `${mark}{content:"";flex:none;width:${toRem(width)};height:${toRem(height)};background:url(${urlOf(logo)}) center/contain no-repeat}`,
    // Cuts off the name, which is behind the logo.
    hasName(logo) ? `a[data-wordmark]{width:${toRem(width)};overflow:hidden}` : '',
  ]
  if (darkLogo) {
    const shown = `{background-image:url(${urlOf(darkLogo)})}`
    rules.push(
      `@media(prefers-color-scheme:dark){:root:not([data-theme=light]) ${mark}${shown}}`,
      `:root[data-theme=dark] ${mark}${shown}`,
    )
  }
  return rules.join('')
}

export const urlOf = ({ hash }: Pick<SiteLogo, 'hash'>): string => `${LOGO_PATH}/${hash}.png`
