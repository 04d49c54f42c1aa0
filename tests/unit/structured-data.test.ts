import type { PageContext } from 'vike/types'
import { describe, expect, test } from 'vitest'
import { createHead, type Head } from '#pages/head.ts'
import type { CommentView, PostView } from '#src/contract/post.ts'
import { defaultSite } from '#src/contract/site.ts'
import type { ThreadView } from '#src/contract/thread.ts'
import { boardStructuredData, describeThread, threadStructuredData } from '#src/features/board/thread/structuredData.ts'
import { siteStructuredData } from '#src/features/site/structuredData.ts'
import { createStructuredData, jsonForScript } from '#src/lib/structuredData.ts'
import { sampleBoard, samplePost } from '#tests/helpers/sampleViews.ts'
import { findSchemaErrors } from '#tests/helpers/schemaOrg.ts'

const ORIGIN = 'https://dtp.example.org'
const board = { ...sampleBoard, moderators: ['mod@example.org'] }

const post = (id: number, more: Partial<PostView> = {}): PostView =>
  samplePost(id, {
    author: 'gl1tch',
    content: `Text of No. ${id}`,
    createdAt: new Date(Date.UTC(2026, 4, 1) + id * 1000),
    ...more,
  })
const comment = (id: number, replies: PostView[] = [], more: Partial<PostView> = {}): CommentView => ({
  ...post(id, more),
  replies,
})
const threadOf = (comments: CommentView[], more: Partial<ThreadView> = {}): ThreadView => ({
  ...post(1),
  boardId: 'tech',
  title: 'A title',
  lastActivity: new Date('2026-05-02T00:00:00Z'),
  commentCount: comments.length,
  replyCount: comments.flatMap(({ replies }) => replies).length,
  locked: false,
  pinned: false,
  bumplocked: false,
  cyclical: false,
  archived: false,
  comments,
  ...more,
})
const picture = {
  url: '/dtpchan/uploads/a.png',
  width: 900,
  height: 600,
  bytes: 1000,
  animated: false,
  preview: { url: '/dtpchan/uploads/a.p.webp', width: 300, height: 200 },
  display: { url: '/dtpchan/uploads/a.d.webp', width: 750, height: 500 },
}

// biome-ignore lint/suspicious/noExplicitAny: untyped, as a search engine reads it
type Json = any
const written = (value: unknown): Json => JSON.parse(jsonForScript(value))

const PLACE = { siteUrl: ORIGIN, boardsName: 'Boards' }

describe('JSON inside a script block', () => {
  test('cannot end or open a script, has no JavaScript line end, and parses to the same data', () => {
    const value = createStructuredData('Thing', {
      name: '</script><script>alert(1)</script><!-- & \u2028\u2029 "quoted" \\ 🙂',
    })
    const json = jsonForScript(value)
    expect(json).not.toMatch(/[<>&\u2028\u2029]/)
    expect(JSON.parse(json)).toEqual(value)
  })
})

describe('thread', () => {
  test('is a posting with comments and replies, with absolute URLs', () => {
    const replied = comment(2, [post(3, { author: 'ferrite' })], { picture })
    const [posting, crumbs] = written(threadStructuredData(board, threadOf([replied, comment(4)], { picture }), PLACE))
    const url = `${ORIGIN}/dtpchan/board/tech/thread/1`
    expect(findSchemaErrors(posting, ORIGIN)).toEqual([])
    expect(posting).toMatchObject({
      '@type': 'DiscussionForumPosting',
      url,
      headline: 'A title',
      text: 'Text of No. 1',
      author: { '@type': 'Person', name: 'gl1tch' },
      datePublished: '2026-05-01T00:00:01.000Z',
      image: { url: `${ORIGIN}/dtpchan/uploads/a.png`, width: 900, height: 600 },
      isPartOf: { url: `${ORIGIN}/dtpchan/board/tech`, name: 'Technology' },
      commentCount: 3,
      interactionStatistic: { interactionType: 'https://schema.org/CommentAction', userInteractionCount: 3 },
    })
    expect(posting.comment.map((one: Json) => one.url)).toEqual([`${url}#p2`, `${url}#p4`])
    expect(posting.comment[0]).toMatchObject({
      text: 'Text of No. 2',
      image: { url: `${ORIGIN}/dtpchan/uploads/a.png` },
    })
    expect(posting.comment[0].comment).toMatchObject([{ url: `${url}#p3`, author: { name: 'ferrite' } }])
    expect(findSchemaErrors(crumbs, ORIGIN)).toEqual([])
    expect(crumbs.itemListElement.map((one: Json) => [one.position, one.name, one.item])).toEqual([
      [1, 'Boards', `${ORIGIN}/dtpchan`],
      [2, '/tech/ - Technology', `${ORIGIN}/dtpchan/board/tech`],
      [3, 'A title', url],
    ])
    expect(JSON.stringify(posting)).not.toContain('mod@example.org')
  })

  test('has a text also for a post that is nothing but a picture', () => {
    const thread = threadOf([comment(2, [], { content: '', picture })], { content: '', picture })
    const [posting] = written(threadStructuredData(board, thread, PLACE))
    expect(findSchemaErrors(posting, ORIGIN)).toEqual([])
    expect([posting.text, posting.comment[0].text]).toEqual(['No. 1', 'No. 2'])
  })

  test('hides spoilers', () => {
    const hidden = '[spoiler]the butler[/spoiler] did it'
    const thread = threadOf([comment(2, [post(3, { content: hidden })], { content: hidden })], { content: hidden })
    const json = jsonForScript(threadStructuredData(board, thread, PLACE))
    expect(json).not.toContain('butler')
    expect(json.split('[spoiler] did it')).toHaveLength(4)
  })

  test('has no author of a deleted post, and says that it is deleted', () => {
    const stub = { deleted: true, author: '', content: '' } as const
    const thread = threadOf([comment(2, [post(3)], stub)], stub)
    const [posting] = written(threadStructuredData(board, thread, PLACE))
    expect(findSchemaErrors(posting, ORIGIN)).toEqual([])
    for (const one of [posting, posting.comment[0]]) {
      expect(one).toMatchObject({ text: 'Deleted by its author', creativeWorkStatus: 'Deleted' })
      expect(one).not.toHaveProperty('author')
    }
    expect(posting.comment[0].comment).toMatchObject([{ text: 'Text of No. 3', author: { name: 'gl1tch' } }])
  })

  test('lists five comments with three replies of a thousand long posts, truncated, and counts all', () => {
    const long = { content: 'ä'.repeat(20_000) }
    const comments = Array.from({ length: 200 }, (_, index) =>
      comment(
        10 * (index + 1),
        [1, 2, 3, 4].map((more) => post(10 * (index + 1) + more, long)),
        long,
      ),
    )
    const [posting] = written(threadStructuredData(board, threadOf(comments, long), PLACE))
    const said = posting.comment.flatMap((one: Json) => [one, ...(one.comment ?? [])])
    expect(said.map((one: Json) => Number(one.url.split('#p')[1]))).toEqual(
      [10, 20, 30, 40, 50].flatMap((id) => [id, id + 1, id + 2, id + 3]),
    )
    expect(posting.commentCount).toBe(1000)
    expect(posting.text.length).toBe(5001)
    expect(Buffer.byteLength(jsonForScript(posting))).toBeLessThan(30_000)
  })
})

test('a board has breadcrumbs, Home describes the site and its organisation', () => {
  const found = [
    ...boardStructuredData(board, PLACE),
    ...siteStructuredData({ ...defaultSite, pages: [] }, ORIGIN),
  ].map(written)
  expect(found.map((one) => one['@type'])).toEqual(['BreadcrumbList', 'WebSite', 'Organization'])
  expect(found.flatMap((one) => findSchemaErrors(one, ORIGIN))).toEqual([])
  expect(found[2].sameAs).toEqual([defaultSite.links.code, defaultSite.links.microblog])
})

describe('thread description', () => {
  test.each([
    [`${'A long enough beginning of a text. '.repeat(9)}`, null, /^A long enough .{130,146}…$/],
    ['Short', null, 'Short - A thread on /tech/ by gl1tch, with 1 comment.'],
    ['Look:', picture, 'Look: - A thread on /tech/ by gl1tch, an image and 1 comment.'],
    ['>', picture, 'A thread on /tech/ by gl1tch, an image and 1 comment.'],
    ['\u200b', null, 'A thread on /tech/ by gl1tch, with 1 comment.'],
  ])('%#', (content, image, expected) => {
    const text = describeThread(threadOf([comment(2)], { content, picture: image }))
    if (typeof expected === 'string') expect(text).toBe(expected)
    else expect(text).toMatch(expected)
  })

  test('names no author if the opening post was deleted', () => {
    const stub = { deleted: true, author: '', content: '' } as const
    expect(describeThread(threadOf([comment(2)], stub))).toBe(
      'A thread on /tech/, with 1 comment. Its author deleted the opening post.',
    )
  })
})

describe('page head', () => {
  const page = (head: Head, more: object = {}) =>
    createHead({
      config: { head },
      siteUrl: ORIGIN,
      site: defaultSite,
      urlPathname: '/archive',
      ...more,
    } as unknown as PageContext)

  test('has a canonical URL without query, and the image of the site', () => {
    expect(page({})).toMatchObject({
      noindex: false,
      canonical: `${ORIGIN}/archive`,
      siteName: 'DTP',
      card: 'summary_large_image',
      image: {
        url: `${ORIGIN}/og.png`,
        type: 'image/png',
        width: 1200,
        height: 630,
        alt: expect.stringContaining('DTP'),
      },
      article: undefined,
      structuredData: [],
    })
  })

  test('has the settings of the page', () => {
    const settings = {
      canonical: () => '/archive?page=2',
      feed: () => ({ path: '/archive', title: 'Archive' }),
      preview: () => ({ image: { ...picture.preview, alt: 'Small' } }),
      structuredData: () => [createStructuredData('WebSite', { name: '<' })],
    }
    expect(page(settings)).toMatchObject({
      canonical: `${ORIGIN}/archive?page=2`,
      feeds: [
        { type: 'application/atom+xml', href: `${ORIGIN}/archive/feed.atom`, title: 'Archive' },
        { type: 'application/feed+json', href: `${ORIGIN}/archive/feed.json`, title: 'Archive' },
      ],
      // The image is too small for a large preview.
      card: 'summary',
      image: { url: `${ORIGIN}/dtpchan/uploads/a.p.webp`, type: 'image/webp', alt: 'Small' },
      structuredData: [expect.stringContaining('"name":"\\u003c"')],
    })
  })

  test('has no canonical URL or structured data on a page that is not indexed', () => {
    const head = page({ noindex: true, structuredData: () => [createStructuredData('WebSite', {})] })
    expect(head).toMatchObject({ noindex: true, canonical: null, structuredData: [] })
  })

  test('does not index a page without data', () => {
    const broken = () => {
      throw new Error('there is no data')
    }
    const settings = { canonical: broken, preview: broken, structuredData: broken, feed: broken }
    const head = page(settings, { data: { error: 'Failed to load thread' } })
    expect(head).toMatchObject({ noindex: true, canonical: null, structuredData: [], feeds: [] })
    expect(head.image.url).toBe(`${ORIGIN}/og.png`)
  })
})
