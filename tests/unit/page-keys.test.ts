import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { unknownPageUrl } from '#server/core/cache/pageKeys.ts'

/** The URLs of all pages, derived from the folders of `pages`. */
const pages = readdirSync('pages', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('/+Page.tsx'))
  .map((file) => `/${file}`.replace(/\/\+Page\.tsx$/, '').replace(/\/index$/, ''))
  .filter((path) => path !== '/_error' && path !== '/unknown')
  .map((path) => path.replace(/@\w+/g, 'x%2F1') || '/')

describe('recognises every page', () => {
  test.each(pages)('%s', (path) => {
    for (const query of ['', '?page=2']) {
      expect(unknownPageUrl(`${path}${query}`)).toBeNull()
      expect(unknownPageUrl(`${path}/${query}`)).toBeNull()
      expect(unknownPageUrl(`${path === '/' ? '' : path}/index.pageContext.json${query}`)).toBeNull()
    }
  })
})

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
  expect(unknownPageUrl(url)).toBe(kind)
  expect(unknownPageUrl(kind)).toBe(kind)
})
