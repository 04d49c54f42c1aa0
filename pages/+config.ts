import type { Config } from 'vike/types'
import vikeReact from 'vike-react/config'

/** Only for HTML: browsers do not load it. */
const inHtml = { env: { server: true } } as const

export default {
  extends: [vikeReact],
  lang: 'en',
  // streaming needs inline scripts, and the cache needs whole pages
  stream: false,
  passToClient: ['site'],
  // the hook waits while offline
  hooksTimeout: { onPageTransitionStart: false },
  meta: {
    canonical: inHtml,
    noindex: inHtml,
    preview: inHtml,
    structuredData: inHtml,
    atomFeed: inHtml,
    pageTitle: { env: { server: true, client: true } },
    fallbackData: { env: { client: true } },
  },
} satisfies Config
