import type { FastifyReply, FastifyRequest } from 'fastify'
import { escapeXml } from '#server/core/http/escapeXml.ts'
import { sendApiError, startErrorReply } from '#server/plugins/api/rest.ts'

/** Responds to a page request that was rejected or failed: browsers get a simple page, other clients get JSON. */
export function sendPageError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (!request.headers.accept?.includes('text/html')) return void sendApiError(error, request, reply)
  const { status, message } = startErrorReply(error, request, reply, 'page failed')
  reply.type('text/html; charset=utf-8').send(errorPage(status, message, request.method === 'GET'))
}

/**
 * Does not use the site's renderer, because the renderer may have failed.
 * @param isRepeatable whether a link can repeat the request; the browser keeps the text of a form that it goes back to
 */
const errorPage = (status: number, message: string, isRepeatable: boolean): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Error ${status}</title>
<h1>Error ${status}</h1>
<p>${escapeXml(message)}</p>
<p>${isRepeatable ? '<a href="">Try again</a>' : 'Go back to try again,'} or go to the <a href="/">home page</a>.</p>
`
