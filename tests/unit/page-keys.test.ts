import { expect, test } from 'vitest'
import { sharedNotFoundUrl } from '#server/core/cache/pageKeys.ts'

const ROUTES = ['/', '/about', '/dtpchan', '/dtpchan/board/@boardId', '/paste/@pasteId', '/paste/@pasteId/delete']

test.each(['/', '/about', '/dtpchan', '/dtpchan/board/x%2F1', '/paste/x', '/paste/%78/delete'])(
  'recognises the page %s with a query, with a trailing slash and as page data',
  (path) => {
    for (const query of ['', '?page=2']) {
      expect(sharedNotFoundUrl(`${path}${query}`, ROUTES)).toBeNull()
      expect(sharedNotFoundUrl(`${path}/${query}`, ROUTES)).toBeNull()
      expect(sharedNotFoundUrl(`${path === '/' ? '' : path}/index.pageContext.json${query}`, ROUTES)).toBeNull()
    }
  },
)

test.each([
  ['/nothing', '/-/-/-/-'],
  ['/nothing/else?x=1', '/-/-/-/-'],
  ['/wp-login.php', '/-/-/-/-'],
  ['/abouts', '/-/-/-/-'],
  ['/constructor', '/-/-/-/-'],
  ['/about/us', '/about/-/-/-'],
  ['/dtpchan/boards', '/dtpchan/-/-/-'],
  ['/dtpchan/board/x/threads/1', '/dtpchan/-/-/-'],
  ['/paste/a/b', '/paste/-/-/-'],
  ['/nothing/index.pageContext.json?x', '/-/-/-/-/index.pageContext.json'],
])('%s is answered like %s', (url, kind) => {
  expect(sharedNotFoundUrl(url, ROUTES)).toBe(kind)
  expect(sharedNotFoundUrl(kind, ROUTES)).toBe(kind)
})
