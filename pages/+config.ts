import type { Config } from 'vike/types'
import vikeReact from 'vike-react/config'

/** A setting of the head: read when HTML is made, and no part of what a browser loads. */
const inHtml = { env: { server: true } } as const

export default {
  extends: [vikeReact],
  lang: 'en',
  // a whole page is stored finished and needs no inline script
  stream: false,
  passToClient: ['site'],
  // offline it waits for the network
  hooksTimeout: { onPageTransitionStart: false },
  meta: {
    canonical: inHtml,
    noindex: inHtml,
    preview: inHtml,
    structuredData: inHtml,
    atomFeed: inHtml,
    fallbackData: { env: { client: true } },
  },
} satisfies Config
