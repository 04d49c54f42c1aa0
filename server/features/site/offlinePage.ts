import type { FastifyInstance } from 'fastify'
import { chooseLanguage, inLanguage, languageHeaders } from '#server/core/http/language.ts'
import type { Site } from '#src/contract/site.ts'
import { currentLanguage } from '#src/i18n/currentLanguage.ts'
import { t } from '#src/i18n/t.ts'

/** Serves the page that the service worker (`public/service-worker.js`) keeps, in the language of its visitor. */
export function registerOfflinePage(app: FastifyInstance, site: Pick<Site, 'language'>): void {
  app.get('/offline.html', async (request, reply) => {
    const language = chooseLanguage(site, request.headers)
    return reply
      .type('text/html; charset=utf-8')
      .headers({ ...languageHeaders(site, language), 'cache-control': 'no-cache' })
      .send(inLanguage(language, offlinePage))
  })
}

/** The link has an empty URL: that of the page that did not load. */
const offlinePage = () => `<!doctype html>
<html lang="${currentLanguage()}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${t('site.offlineTitle')}</title>
<link rel="stylesheet" href="/offline.css">
<main>
<p class="label">${t('site.noNetwork')}</p>
<div class="ruler"></div>
<h1>${t('site.offlineTitle')}</h1>
<p class="hint">${t('site.offlineHint')}</p>
<a class="button" href="">${t('ui.tryAgain')}</a>
</main>
`
