import { type ReactNode, Suspense, use } from 'react'
import { renderToString } from 'react-dom/server'
import type { PageContextServer } from 'vike/types'
import { expect, test } from 'vitest'
import extractPageHtml from '#pages/+onAfterRenderHtml.ts'

/** Does what vike-react does before it calls the hook, and then the hook. */
async function render(page: ReactNode) {
  const context = { page, pageHtmlString: renderToString(page), htmlPlaceholder: '<!--x-->' } as PageContextServer
  await extractPageHtml(context)
  return context
}

function Broken(): ReactNode {
  throw new Error('No such field')
}
const Waiting = () => use(new Promise<string>(() => {}))

test('finds why parts of a page are empty', async () => {
  const { pageHtml, pageHtmlString, boundaryErrors } = await render(
    <main>
      <Suspense>
        <p>First</p>
      </Suspense>
      <Suspense>
        <Broken />
      </Suspense>
      <Suspense>
        <Waiting />
      </Suspense>
    </main>,
  )
  expect(pageHtml).toContain('<p>First</p>')
  expect(pageHtmlString).toBe('<!--x-->')
  expect(boundaryErrors).toEqual([new Error('No such field'), new Error('A Suspense boundary waits for something')])
})

test('does not render a page again that is complete', async () => {
  let renders = 0
  const Counted = () => <p>{++renders}</p>
  const { boundaryErrors } = await render(
    <Suspense>
      <Counted />
    </Suspense>,
  )
  expect(boundaryErrors).toBeUndefined()
  expect(renders).toBe(1)
})
