import type { FastifyReply, FastifyRequest } from 'fastify'
import { escapeXml } from '#server/core/http/escapeXml.ts'
import { sendApiError, startErrorReply } from '#server/plugins/api/rest.ts'

/** Responds to a page request that was rejected or failed: browsers get a simple page, other clients get JSON. */
export function sendPageError(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  if (!request.headers.accept?.includes('text/html')) return void sendApiError(error, request, reply)
  const { status, message } = startErrorReply(error, request, reply, 'page failed')
  reply.type('text/html; charset=utf-8').send(errorPage(status, message))
}

/** Does not use the site's renderer, because the renderer may have failed. */
const errorPage = (status: number, message: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Error ${status}</title>
<h1>Error ${status}</h1>
<p>${escapeXml(message)}</p>
<p><a href="">Try again</a> or go to the <a href="/">home page</a>.</p>
`
