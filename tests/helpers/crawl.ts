import { DomUtils, parseDocument } from 'htmlparser2'

type Attributes = Record<string, string>

/** Page content that a crawler sees without running scripts. */
export type PageContent = {
  lang: string
  titles: string[]
  headings: string[]
  /** name (or property) and content of each <meta>, in order */
  metas: [name: string, content: string][]
  links: Attributes[]
  images: Attributes[]
  /** URLs of all resources that a browser loads for this page */
  loaded: string[]
  /** type and text of each script element */
  scripts: { type: string; text: string }[]
  anchors: string[]
  ids: Set<string>
}

/** A URL of the site and its response. `page` is null for responses other than HTML. */
export type CrawledUrl = {
  path: string
  from: string
  status: number
  headers: Headers
  body: string
  page: PageContent | null
}

/** Forms about single posts. Every post links to two of them, which differ only in its number. */
const POST_FORM = /^.*\/(?:report\?url|post\?thread)=/
/** forms of each kind that a crawl requests */
const MAX_FORMS = 20

/** Requests a page and all pages it links to, recursively. */
export async function crawl(origin: string, start = '/'): Promise<Map<string, CrawledUrl>> {
  const found = new Map<string, CrawledUrl>()
  const known = new Set([start])
  const queue = [{ path: start, from: '' }]
  const forms = new Map<string, number>()

  for (let next = queue.shift(); next; next = queue.shift()) {
    const visit = await fetchUrl(origin, next.path, next.from)
    found.set(next.path, visit)
    for (const href of visit.page?.anchors ?? []) {
      const path = localPath(origin, href, next.path)
      if (path === null || known.has(path)) continue
      known.add(path)
      const [form] = POST_FORM.exec(path) ?? []
      if (form) forms.set(form, (forms.get(form) ?? 0) + 1)
      if (form && Number(forms.get(form)) > MAX_FORMS) continue
      queue.push({ path, from: next.path })
    }
  }
  return found
}

export async function fetchUrl(origin: string, path: string, from = ''): Promise<CrawledUrl> {
  const answer = await fetch(`${origin}${path}`, { redirect: 'manual' })
  const isPage = answer.headers.get('content-type')?.startsWith('text/html') ?? false
  const body = await answer.text()
  return { path, from, status: answer.status, headers: answer.headers, body, page: isPage ? parsePage(body) : null }
}

/** Returns the path and query of a link, or null if it leads to another site. */
export function localPath(origin: string, href: string, on: string): string | null {
  const url = new URL(href, `${origin}${on}`)
  return url.origin === origin ? `${url.pathname}${url.search}` : null
}

function parsePage(html: string): PageContent {
  const document = parseDocument(html)
  const named = (name: string) => DomUtils.getElementsByTagName(name, document)
  const attributes = (name: string): Attributes[] => named(name).map(({ attribs }) => attribs)
  const links = attributes('link')
  return {
    lang: attributes('html')[0]?.lang ?? '',
    // ignores <title> elements in SVG
    titles: named('title')
      .filter(({ parent }) => parent && 'name' in parent && parent.name === 'head')
      .map(DomUtils.textContent),
    headings: named('h1').map(DomUtils.textContent),
    metas: attributes('meta').flatMap(({ name, property = name, content = '' }) =>
      property ? [[property, content] as [string, string]] : [],
    ),
    links,
    images: attributes('img'),
    loaded: [
      ...['img', 'script', 'audio', 'video', 'source', 'iframe', 'embed'].flatMap((name) =>
        attributes(name).flatMap(({ src, 'data-src': deferred, srcset, poster }) =>
          [src, deferred, srcset, poster].filter((one) => one !== undefined),
        ),
      ),
      ...links
        .filter(({ rel, 'data-rel': deferred = rel }) =>
          /\b(stylesheet|icon|apple-touch-icon|preload|modulepreload|manifest)\b/.test(deferred ?? ''),
        )
        .map(({ href = '' }) => href),
    ],
    scripts: named('script').map((script) => ({
      type: script.attribs.type ?? '',
      text: DomUtils.textContent(script),
    })),
    anchors: attributes('a').flatMap(({ href }) => href ?? []),
    ids: new Set(
      DomUtils.findAll(({ attribs }) => Boolean(attribs.id), document).map(({ attribs }) => attribs.id ?? ''),
    ),
  }
}
