import type { Config } from 'vike/types'
import vikeReact from 'vike-react/config'

export default {
  extends: [vikeReact],
  // Disables streaming: it needs inline scripts, and the page cache needs complete pages.
  stream: false,
  // Leaves out vike-react's own: no page suspends in the browser.
  Loading: {},
  passToClient: ['site', 'notice', 'formUrl', 'banner'],
  // Disables the time limit: the hook waits while the browser is offline.
  hooksTimeout: { onPageTransitionStart: false },
  meta: {
    head: { env: { server: true, client: true } },
  },
} satisfies Config
