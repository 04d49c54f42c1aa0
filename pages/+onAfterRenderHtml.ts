import type { ReactNode } from 'react'
import { renderToPipeableStream } from 'react-dom/server'
import type { PageContextServer } from 'vike/types'

/** React writes this where a Suspense boundary failed, and `renderToString` reports the error to nobody. */
const FAILED_BOUNDARY = '<!--$!-->'

/**
 * Replaces the page's HTML with a placeholder. Otherwise Vike would search and copy the long HTML several times. Renders a
 * page with failed boundaries again to find their errors, which the server logs.
 */
export default async function extractPageHtml(pageContext: PageContextServer): Promise<void> {
  const { pageHtmlString, htmlPlaceholder, page } = pageContext
  if (pageHtmlString === undefined || htmlPlaceholder === undefined) return
  pageContext.pageHtml = pageHtmlString
  pageContext.pageHtmlString = htmlPlaceholder
  if (pageHtmlString.includes(FAILED_BOUNDARY)) pageContext.boundaryErrors = await findErrors(page)
}

const findErrors = (page: ReactNode): Promise<unknown[]> =>
  new Promise((resolve) => {
    const errors: unknown[] = []
    const stream = renderToPipeableStream(page, {
      onError: (error) => void errors.push(error),
      onShellError: () => resolve(errors),
      onAllReady: () => resolve(errors),
      // Pages load their data before: a boundary that is still pending here would wait for ever.
      onShellReady: () => setImmediate(() => stream.abort(new Error('A Suspense boundary waits for something'))),
    })
  })
