import { Parser } from 'htmlparser2'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BrowserSite, startBrowserSite } from '#tests/helpers/browser.ts'
import { findJoinedWords } from '#tests/helpers/joinedWords.ts'
import { createSiteContent, type SiteContent } from '#tests/helpers/siteContent.ts'
import { readingPages } from '#tests/helpers/states/readingPages.ts'

let site: BrowserSite
let content: SiteContent
/** Browsers without script and styles ignore data. */
let shown: Map<string, string>
beforeAll(async () => {
  site = await startBrowserSite()
  content = await createSiteContent(site)
  shown = new Map()
  for (const [name, path] of [...readingPages, ['the queue', () => '/admin/queue'] as const]) {
    const response = await fetch(`${site.server.origin}${path(content)}`)
    expect([name, response.status]).toEqual([name, expectedStatus(name)])
    const html = await response.text()
    shown.set(name, html.replace(/<script[\s\S]*?<\/script>/g, ''))
  }
})
afterAll(() => site.close())

function expectedStatus(name: string): number {
  if (name === 'a removed thread') return 410
  return /^(a missing|an expired)/.test(name) ? 404 : 200
}

const each = (find: (html: string) => unknown) => [...shown].map(([name, html]) => [name, find(html)])
const everywhere = (value: unknown) => [...shown.keys()].map((name) => [name, value])

test('words stay apart without style sheets', () => {
  expect(findJoinedWords('<p><b>a</b><time>1</time> <a>b</a> <a>c</a></p><p>d</p>')).toEqual(['a|1'])
  expect(each(findJoinedWords)).toEqual(everywhere([]))
})

test('translators leave names, code and commands as they are', () => {
  expect(findTranslatedNames('<pre translate=no><code></code></pre><code>a</code><bdi class="nick">')).toEqual([
    'code',
    'bdi.nick',
  ])
  expect(each(findTranslatedNames)).toEqual(everywhere([]))
})

/** Lists elements with names or code that the translator of a browser would change. */
function findTranslatedNames(html: string): string[] {
  const open: boolean[] = []
  const found: string[] = []
  const parser = new Parser({
    onopentag(name, { translate, class: classes }) {
      const isKept = translate === 'no' || open.at(-1) === true
      open.push(isKept)
      const kind = name === 'code' || name === 'pre' ? '' : /\b(?:nick|trip)\b/.exec(classes ?? '')?.[0]
      if (kind !== undefined && !isKept) found.push(kind === '' ? name : `${name}.${kind}`)
    },
    onclosetag: () => void open.pop(),
  })
  parser.end(html)
  return found
}

test('each page links the navigation once, and the stream instead of a player', () => {
  expect(each((html) => html.match(/<nav\b[^>]*aria-label="Main[^>]*>/g)?.length)).toEqual(everywhere(1))
  expect(each((html) => html.match(/<noscript>.*?href="\/radio\/1\.m3u".*?<\/noscript>/)?.length)).toEqual(
    everywhere(1),
  )
  expect(each((html) => /Radio player|type="range"/.test(html))).toEqual(everywhere(false))
})

test('no page has a button that only script can use', () => {
  const dead = (html: string) => html.match(/<button(?![^>]*(?:type="submit"|popovertarget=))[^>]*>/gi) ?? []
  expect(each(dead)).toEqual(everywhere([]))
  expect(each((html) => html.match(/<button[^>]*disabled[^>]*>/g) ?? [])).toEqual(everywhere([]))
})

test('the admin area says that it needs script', () => {
  const queue = shown.get('the queue')
  expect(queue).toContain('The admin area needs JavaScript.')
  expect(queue).not.toContain('Loading')
})
