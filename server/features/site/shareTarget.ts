import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { createFormFields, parseMultipartForm } from '#server/core/http/multipartForm.ts'
import { COST } from '#server/core/limits/requestCost.ts'
import { refusal } from '#src/contract/refusal.ts'

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
