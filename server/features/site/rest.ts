import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { captchaSchema } from '#src/contract/captchaAnswers.ts'
import { siteRouter } from './router.ts'

export const siteRoutes = createRestRoutes(siteRouter, [
  {
    method: 'POST',
    path: '/api/dtpchan/captcha',
    summary: 'Creates a captcha. It must be answered from the network that requested it, and once.',
    answer: captchaSchema,
    call: (api) => api.captcha(),
  },
])
