import type { Caller } from '#server/router.ts'
import type { ApiReference } from '#src/contract/apiReference.ts'
import type { SubmittedForm } from '#src/contract/forms.ts'
import type { Head } from './head.ts'

declare global {
  namespace Vike {
    interface Config {
      /** what the page's `+head.ts` says about it */
      // biome-ignore lint/suspicious/noExplicitAny: each page has its own data
      head?: Head<any>
    }
    interface PageContextServer {
      /** calls procedures directly, without HTTP and without a session */
      api: Caller
      /** returns the calls that the page of the API shows */
      readApiReference: () => ApiReference
      /** set if the page answers a form that a browser sent without script */
      submittedForm?: SubmittedForm
      /** placeholder that the server replaces with the page's HTML */
      htmlPlaceholder?: string
      /** the HTML that replaces the placeholder */
      pageHtml?: string
      /** placeholder for the HTML of a long list of posts, which React and Vike then need not search and copy */
      postsPlaceholder?: string
      /** the HTML that replaces `postsPlaceholder` */
      postsHtml?: Uint8Array[]
      /** why parts of the page are empty in its HTML */
      boundaryErrors?: unknown[]
    }
    interface PageContext {
      /** URL of the page's form, if the page answers a form that a browser sent without script */
      formUrl?: string
      /** public origin without a trailing slash; only set on the server */
      siteUrl?: string
    }
  }
}
