import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { IMAGE_TYPES } from '#src/contract/image.ts'
import { SHARE_TARGET } from '#src/contract/shareTarget.ts'
import type { Site } from '#src/contract/site.ts'
import { iconsQuery, type SiteImages } from './images/siteImages.ts'

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
  app.get(PATH, async (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=600')
      .type('application/manifest+json; charset=utf-8')
      .send(JSON.stringify(createManifest(site, await siteImages()))),
  )
}

function createManifest(
  { name, tagline, boardsName }: Pick<Site, 'name' | 'tagline' | 'boardsName'>,
  { icons }: Pick<SiteImages, 'icons'>,
) {
  const createIcon = (file: string, side: number, purpose: 'any' | 'maskable') => ({
    src: `/${file}-${side}.png${iconsQuery(icons)}`,
    sizes: `${side}x${side}`,
    type: 'image/png',
    purpose,
  })
  return {
    id: '/',
    name,
    short_name: [...name].slice(0, SHORT_NAME_LENGTH).join('').trim(),
    description: tagline,
    lang: 'en',
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
      { name: 'Radio visualiser', url: '/visualizer', icons: [createIcon('icon', 192, 'any')] },
      { name: 'New paste', url: '/paste-service', icons: [createIcon('icon', 192, 'any')] },
    ],
  }
}
