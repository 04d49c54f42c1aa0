import { describe, expect, it } from 'vitest'
import { canonicalPageUrl, findCacheablePage, sitePages } from '#server/core/cache/pageKeys.ts'
import { listFixedPages } from '#tests/helpers/fixedPages.ts'

describe('cacheable pages', () => {
  const key = (url: string) => findCacheablePage(url)?.url ?? null

  it('drops parameters that do not change the page', () => {
    expect(key('/?utm_source=x')).toBe('/')
    expect(key('/dtpchan/board/tech?a=1&b=2')).toBe('/dtpchan/board/tech')
    expect(key('/dtpchan/board/tech?x=1&cursor=1700000000000-12')).toBe('/dtpchan/board/tech?cursor=1700000000000-12')
    expect(key('/today-in-tech?source=lwn.net&page=2&x')).toBe('/today-in-tech?page=2&source=lwn.net')
    expect(key('/today-in-tech?page=')).toBe('/today-in-tech?page=')
    expect(key('/programs-we-love?category=Security&x=1&q=a%20b')).toBe('/programs-we-love?q=a+b&category=Security')
    expect(key('/programs-we-love?q=what?x')).toBe('/programs-we-love?q=what%3Fx')
    expect(key('/archive?x=1&streamer=3')).toBe('/archive?streamer=3')
    expect(key('/dtpchan/index.pageContext.json?x=1')).toBe('/dtpchan/index.pageContext.json')
  })

  it('excludes private pages, forms and unknown paths', () => {
    const urls = [
      '/paste/AAAA',
      '/image-share/AAAA',
      '/paste-service',
      '/image-sharing',
      '/login',
      '/nope',
      '/dtpchan/board/T%65ch',
      '/dtpchan/board/tech/thread/01',
      '/dtpchan/board/tech/thread/1/',
      '/today-in-tech?page=1&page=2',
      '/dtpchan/board/tech?cursor=1-1&cursor=2-2',
    ]
    for (const url of urls) expect(findCacheablePage(url), url).toBeNull()
  })

  it('knows all pages, and keeps all but forms and what only one visitor sees', () => {
    expect(Object.keys(sitePages).toSorted()).toEqual(
      listFixedPages()
        .map(({ path }) => path)
        .toSorted(),
    )
    const others = listFixedPages().flatMap(({ path }) => (findCacheablePage(path) ? [] : [path]))
    expect(others).toEqual([
      ...['/account', '/appeal', '/image-sharing', '/login', '/paste-service', '/report', '/search'],
    ])
  })

  it('finds the canonical URL of other spellings only', () => {
    expect(canonicalPageUrl('/dtpchan/board/t%65ch')).toBe('/dtpchan/board/tech')
    expect(canonicalPageUrl('/dtpchan%2Fboard/tech/?x=1&cursor=1-2')).toBe('/dtpchan/board/tech?cursor=1-2')
    expect(canonicalPageUrl('/sitemap%2Exml')).toBe('/sitemap.xml')
    expect(canonicalPageUrl('/today-in-tech/feed.atom/')).toBe('/today-in-tech/feed.atom')
    const others = [
      '/',
      '/dtpchan/board/tech?x=%65',
      '//about',
      '/%2Fabout',
      '/%5Cabout',
      '/about%2F%2F',
      '/%2561bout',
      '/dtpchan/board/%54ech',
      '/paste/%41',
      '/%2Fevil.example/about',
      '/about%3Fx',
    ]
    for (const url of others) expect(canonicalPageUrl(url), url).toBeNull()
  })

  it('returns the tags of a page', () => {
    expect(findCacheablePage('/dtpchan/board/tech/thread/12')).toMatchObject({
      tags: ['boards', 'thread:12', 'site'],
    })
    expect(findCacheablePage('/dtpchan/board/tech/page.de.json?cursor=1700000000000-12&x=1')).toMatchObject({
      url: '/dtpchan/board/tech/page.de.json?cursor=1700000000000-12',
      tags: ['boards', 'board:tech'],
      waitsForLatest: true,
    })
    expect(findCacheablePage('/dtpchan/board/tech?cursor=1700000000000-12')).toMatchObject({
      tags: ['boards', 'board:tech', 'site'],
    })
  })
})
