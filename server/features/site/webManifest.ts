import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { createFormFields, parseMultipartForm } from '#server/core/http/multipartForm.ts'
import { COST } from '#server/core/limits/requestCost.ts'
import { IMAGE_TYPES } from '#src/contract/image.ts'
import { refusal } from '#src/contract/refusal.ts'
import type { Site } from '#src/contract/site.ts'
import { currentLanguage } from '#src/i18n/currentLanguage.ts'
import { t } from '#src/i18n/t.ts'
import { iconsQuery } from './images/siteImages.ts'
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

/** Receives what other apps share with the installed site. The service worker (public/service-worker.js) knows it, too. */
export const SHARE_TARGET = '/share'

const PASTE_FORM = '/paste-service'
const IMAGE_FORM = '/image-sharing'

/**
 * Answers what other apps share with the installed site with a form that contains the text. Stores nothing: the visitor
 * sends the form. The service worker keeps images in the browser, so an image comes here only without the worker.
 */
export function registerShareTarget(
  app: FastifyInstance,
  { costs, bodyBudget }: Pick<Services, 'costs' | 'bodyBudget'>,
) {
  app.get(SHARE_TARGET, (_request, reply) => reply.redirect(PASTE_FORM, 303))
  app.post(SHARE_TARGET, async (request: FastifyRequest, reply) => {
    costs.charge(request, COST.call)
    const { send } = app.formPages
    if (!send || !request.isMultipart()) return reply.redirect(PASTE_FORM, 303)
    const parts = createFormFields()
    const read = async () => {
      Object.assign(parts, await parseMultipartForm(request, bodyBudget, { keepsOtherFiles: true }, { fields: parts }))
      if (parts.image) throw errors.badRequest(refusal('site.shareImageLost'))
      if (textOf(parts) === '') throw errors.badRequest(refusal('site.shareNothingShared'))
      return null
    }
    const page = { path: () => (parts.image ? IMAGE_FORM : PASTE_FORM) }
    return send(request, reply, page, read, () => ({ content: textOf(parts) }))
  })
}

/** Joins the parts. Leaves out a part that another one contains: many apps send the URL twice. */
function textOf({ title, text, url }: Record<string, unknown>): string {
  const parts = [title, text, url].filter((part) => typeof part === 'string').map((part) => part.trim())
  const isRepeated = (part: string, index: number) =>
    parts.some((other, at) => at !== index && other.includes(part) && (other !== part || at < index))
  return parts.filter((part, index) => part !== '' && !isRepeated(part, index)).join('\n')
}
