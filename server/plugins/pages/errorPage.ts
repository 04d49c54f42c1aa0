import type { FastifyReply, FastifyRequest } from 'fastify'
import { escapeXml } from '#server/core/http/escapeXml.ts'
import { chooseLanguage, inLanguage, languageHeaders } from '#server/core/http/language.ts'
import { sendApiError, startErrorReply } from '#server/plugins/api/rest.ts'
import type { Site } from '#src/contract/site.ts'
import { currentLanguage } from '#src/i18n/currentLanguage.ts'
import { t } from '#src/i18n/t.ts'

/** Responds to a page request that was rejected or failed: browsers get a simple page, other clients get JSON. */
export function sendPageError(
  site: Pick<Site, 'language'>,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const language = chooseLanguage(site, request.headers)
  if (!request.headers.accept?.includes('text/html')) return void sendApiError(error, request, reply)
  const { status, message } = startErrorReply(error, request, reply, language, 'page failed')
  const html = inLanguage(language, () => errorPage(status, message, request.method === 'GET'))
  reply.type('text/html; charset=utf-8').headers(languageHeaders(site, language)).send(html)
}

/**
 * Does not use the site's renderer, because the renderer may have failed.
 * @param isRepeatable whether a link can repeat the request; the browser keeps the text of a form that it goes back to
 */
function errorPage(status: number, message: string, isRepeatable: boolean): string {
  const title = t('failure.title', { status })
  const homePage = `<a href="/">${t('failure.homePage')}</a>`
  const tryAgain = `<a href="">${t('failure.tryAgain')}</a>`
  return `<!doctype html>
<html lang="${currentLanguage()}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<h1>${title}</h1>
<p>${escapeXml(message)}</p>
<p>${isRepeatable ? t('failure.again', { tryAgain, homePage }) : t('failure.back', { homePage })}</p>
`
}
