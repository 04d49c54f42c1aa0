import type { Config } from 'vike/types'
import vikeReact from 'vike-react/config'

/** Runs only on the server: browsers do not load it. */
const inHtml = { env: { server: true } } as const

export default {
  extends: [vikeReact],
  lang: 'en',
  // Streaming needs inline scripts, and the page cache needs whole pages.
  stream: false,
  passToClient: ['site'],
  // The hook waits while the browser is offline.
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
