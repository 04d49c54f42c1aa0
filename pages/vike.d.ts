import type { Caller } from '#server/router.ts'
import type { HeadSettings, Setting } from './head.ts'

declare global {
  namespace Vike {
    interface Config extends HeadSettings {
      /** the title without the site's name */
      pageTitle?: Setting<string>
      /** replaces the page's data in the browser if it fails to load */
      fallbackData?: object
    }
    interface PageContextServer {
      /** calls procedures without HTTP and without a session */
      api: Caller
      /** the server replaces it with the page's HTML */
      htmlPlaceholder?: string
      /** the HTML that belongs at the placeholder */
      pageHtml?: string
    }
    interface PageContext {
      /** public origin without a trailing slash; only on the server */
      siteUrl?: string
    }
  }
}
