import type { Caller } from '#server/router.ts'
import type { HeadSettings } from './head.ts'

declare global {
  namespace Vike {
    interface Config extends HeadSettings {
      /** data of a page in the browser if its own did not arrive */
      fallbackData?: object
    }
    interface PageContextServer {
      /** calls the site's own procedures as a guest, without HTTP */
      api: Caller
      /** stands where the page's own HTML belongs, which is put in at the end */
      pagePlace?: string
      pageHtml?: string
    }
    interface PageContext {
      /** public origin, without a slash at the end; known while HTML is made */
      siteUrl?: string
    }
  }
}
