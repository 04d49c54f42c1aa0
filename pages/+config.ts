import type { Config } from 'vike/types'
import vikeReact from 'vike-react/config'

/** The code of these settings runs only on the server; browsers do not load it. */
const inHtml = { env: { server: true } } as const

export default {
  extends: [vikeReact],
  // Disables streaming: it needs inline scripts, and the page cache needs complete pages.
  stream: false,
  passToClient: ['site', 'notice', 'formUrl', 'banner'],
  // Disables the time limit: the hook waits while the browser is offline.
  hooksTimeout: { onPageTransitionStart: false },
  meta: {
    canonical: inHtml,
    noindex: inHtml,
    preview: inHtml,
    structuredData: inHtml,
    feed: inHtml,
    podcast: inHtml,
    pageTitle: { env: { server: true, client: true } },
    fallbackData: { env: { client: true } },
  },
} satisfies Config
