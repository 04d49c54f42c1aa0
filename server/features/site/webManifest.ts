import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { IMAGE_TYPES } from '#src/contract/image.ts'
import type { Site } from '#src/contract/site.ts'
import { currentLanguage } from '#src/i18n/currentLanguage.ts'
import { t } from '#src/i18n/t.ts'
import { iconsQuery } from './images/siteImages.ts'
import { SHARE_TARGET } from './shareTarget.ts'
import { translateDefaults } from './translateDefaults.ts'

const PATH = '/manifest.webmanifest'
/** The background of the dark theme, as in `src/styles/tokens.css`. */
const BACKGROUND = '#0d0d12'
/** Launchers cut longer names. */
const SHORT_NAME_LENGTH = 12

/** Serves the web app manifest, with which browsers install the site. */
export function registerWebManifest(
  app: FastifyInstance,
  { siteImages }: Pick<Services, 'siteImages'>,
  site: Site,
): void {
  const manifest = createManifest(translateDefaults(site))
  app.get(PATH, async (_request, reply) => {
    const query = iconsQuery((await siteImages()).icons)
    return reply
      .header('cache-control', 'public, max-age=600')
      .type('application/manifest+json; charset=utf-8')
      .send(JSON.stringify(manifest, (key, value) => (key === 'src' ? `${value}${query}` : value)))
  })
}

function createManifest({ name, tagline, boardsName }: Pick<Site, 'name' | 'tagline' | 'boardsName'>) {
  return {
    id: '/',
    name,
    short_name: [...name].slice(0, SHORT_NAME_LENGTH).join('').trim(),
    description: tagline,
    lang: currentLanguage(),
    dir: 'ltr',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: BACKGROUND,
    theme_color: BACKGROUND,
    icons: [192, 512].flatMap((side) => [
      createIcon('icon', side, 'any'),
      createIcon('icon-maskable', side, 'maskable'),
    ]),
    share_target: {
      action: SHARE_TARGET,
      method: 'POST',
      enctype: 'multipart/form-data',
      params: { title: 'title', text: 'text', url: 'url', files: [{ name: 'image', accept: IMAGE_TYPES }] },
    },
    shortcuts: [
      { name: boardsName, url: '/dtpchan', icons: [createIcon('icon', 192, 'any')] },
      { name: t('feed.visualiser'), url: '/visualizer', icons: [createIcon('icon', 192, 'any')] },
      { name: t('feed.newPaste'), url: '/paste-service', icons: [createIcon('icon', 192, 'any')] },
    ],
  }
}

const createIcon = (file: string, side: number, purpose: 'any' | 'maskable') => ({
  src: `/${file}-${side}.png`,
  sizes: `${side}x${side}`,
  type: 'image/png',
  purpose,
})
