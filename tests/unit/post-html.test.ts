import { describe, expect, test } from 'vitest'
import { cardHtml, tileHtml } from '#server/features/board/html/cardHtml.ts'
import { renderCatalog, renderOverboard } from '#server/features/board/html/listHtml.ts'
import { commentHtml, openingHtml } from '#server/features/board/html/postHtml.ts'
import { renderPost, renderThread, showEvent } from '#server/features/board/html/threadHtml.ts'
import type { EventPost, SiteEvent } from '#src/contract/events.ts'
import type { ImageView } from '#src/contract/image.ts'
import type { CommentView, PostView } from '#src/contract/post.ts'
import type { CatalogThread, ListedThread, ThreadView } from '#src/contract/thread.ts'
import { samplePost as post } from '#tests/helpers/sampleViews.ts'

const HOSTILE = `<b>"'&`
const ESCAPED = '&lt;b&gt;&quot;&#39;&amp;'
const place = { boardId: 'tech', threadId: 1, pageId: 1 }

const comment = (id: number, fields: Partial<PostView> = {}, replies: PostView[] = []): CommentView => ({
  ...post(id, fields),
  replies,
})
const thread: ThreadView = {
  ...post(1),
  boardId: 'tech',
  title: HOSTILE,
  lastActivity: new Date(0),
  commentCount: 1,
  replyCount: 1,
  locked: true,
  pinned: true,
  bumplocked: false,
  cyclical: true,
  archived: false,
  comments: [comment(2, {}, [post(3, { author: 'mira' })])],
}
const file = (name: string) => ({ url: `/dtpchan/uploads/${name}`, width: 640, height: 208 })
const image = (name: string): ImageView => ({
  ...file(name),
  bytes: 11_664,
  animated: false,
  preview: file(`p-${name}`),
  display: file(`d-${name}`),
})
const event = (fields: Partial<EventPost> = {}): EventPost => ({
  ...{ boardId: 'tech', threadId: 1, title: 'Title', parentId: null, view: post(2), commentCount: 1, replyCount: 0 },
  ...{ lastActivity: new Date(0), locked: false, pinned: false, bumplocked: false, cyclical: false, archived: false },
  ...fields,
})

describe('the HTML of posts', () => {
  test('escapes everything that visitors write', () => {
    const fields = { note: HOSTILE, author: HOSTILE, tripcode: HOSTILE, posterLabel: HOSTILE, content: HOSTILE }
    const html = commentHtml(comment(2, { ...fields, links: [`https://a.de/${HOSTILE}`] }), place)
    expect(html).not.toContain('<b>')
    // Name, label of the article, tripcode, label of the poster, text, note, and three times the link.
    expect(html.split(ESCAPED)).toHaveLength(10)
    expect(openingHtml(thread, place)).toContain(`<h1>${ESCAPED}</h1>`)
  })

  test.each([
    ['code', `\`${HOSTILE}\``],
    ['a block of code', `\`\`\`\n${HOSTILE}\n\`\`\``],
    ['the language of a block of code', `\`\`\`x${HOSTILE}\ntext\n\`\`\``],
    ['a spoiler', `[spoiler]${HOSTILE}[/spoiler]`],
    ['a quote', `>${HOSTILE}`],
    ['an address', `https://a.de/${HOSTILE}`],
  ])('escapes %s', (_, content) => {
    const html = commentHtml(comment(2, { content }), place)
    expect(html).not.toContain('<b>')
    expect(html).toContain('&lt;b&gt;')
  })

  test('says who wrote it, and how', () => {
    const html = commentHtml(comment(2, { tripcode: '!!code', posterLabel: 'Ab1', sage: true }), place)
    for (const text of ['ferrite', '!!code', 'ID: Ab1', '21/11/2026 12:05<i> UTC</i>', 'No. 2'])
      expect(html).toContain(text)
    expect(html).toContain('<span class=data>sage</span>')
  })

  test('shows capcodes as chips, and the note of a ban below the text', () => {
    const html = commentHtml(comment(2, { author: 'ferrite ## Mod', capcode: 'admin', note: 'banned' }), place)
    expect(html).toContain('<span class=capcode>Admin</span>')
    expect(html).toContain('ferrite ## Mod</bdi>')
    expect(html).toMatch(/<\/div><p class="hint mod-note"><strong>\(banned\)<\/strong><\/p><\/div>/)
    expect(commentHtml(comment(2), place)).not.toMatch(/capcode|mod-note/)
  })

  test('keeps names, codes and links from translators', () => {
    const fields = { tripcode: 'Ab', posterLabel: 'Cd', links: ['https://a.de'] }
    const kept = commentHtml(comment(2, fields), place).match(/<(?=[^>]* translate=no)[^>]*>[^<]*/g)
    expect(kept).toEqual([
      '<bdi class=nick translate=no data-hue=4>ferrite',
      '<span class=trip translate=no>Ab',
      '<span class=trip translate=no data-hue=2>ID: Cd',
      '<ul class=links translate=no>',
    ])
  })

  test('links to boards and their posts, if they exist', () => {
    const content = '>>>/b/ >>>/b/7 >>>/none/'
    const boardLinks = [
      { text: '>>>/b/', boardId: 'b' },
      { text: '>>>/b/7', boardId: 'art', threadId: 5, id: 7 },
    ]
    const html = commentHtml(comment(2, { content, boardLinks }), place)
    expect(html).toContain('<a class=quote href=/dtpchan/board/b>&gt;&gt;&gt;/b/</a>')
    expect(html).toContain(
      '<a class=quote href=/dtpchan/board/art/thread/5#p7>&gt;&gt;&gt;/b/7</a> &gt;&gt;&gt;/none/</p>',
    )
  })

  test('nests replies, and names only the post in the links to its forms', () => {
    const html = commentHtml(comment(2, {}, [post(3)]), place)
    expect(html).toContain('<summary>Replies (1)</summary><article class="post reply" id=p3 aria-label="Reply No. 3')
    expect(html.match(/href="[^"]*\?[^"]*"/g)).toEqual(
      [2, 3].flatMap((id) => [`href="../post?comment=${id}"`, `href="/report?post=${id}"`]),
    )
  })

  test('says that the image of a post without text was deleted', () => {
    const bare = { content: '', picture: null }
    expect(commentHtml(comment(2, bare), place)).toContain('<p class=hint>The image has been deleted.</p>')
    for (const left of [{ content: 'text' }, { picture: image('a.png') }, { links: ['https://a.de'] }])
      expect(commentHtml(comment(2, { ...bare, ...left }), place)).not.toContain('deleted')
  })

  test('leaves out what the author of a stub wrote', () => {
    const html = commentHtml(comment(2, { deleted: true, author: '', content: 'secret' }), place)
    expect(html).not.toContain('secret')
    expect(html).toContain('Deleted by its author')
  })

  test('links to posts with their path outside of their thread', () => {
    const quoted = comment(2, { quotedBy: [{ id: 9, threadId: 1, boardId: 'tech' }] })
    expect(commentHtml(quoted, place)).toContain('<a href=#p9>')
    const far = commentHtml(quoted, { ...place, pageId: 7 })
    expect(far).toContain('<a class=number href=/dtpchan/board/tech/thread/1#p2>')
    expect(far).toContain('<a href=/dtpchan/board/tech/thread/1#p9>')
  })

  test('covers spoilers, and shows several images small', () => {
    const covered = commentHtml(comment(2, { picture: image('a.png'), spoiler: true }), place)
    expect(covered).toMatch(/<div class=cover><a class=frame href="\/dtpchan\/uploads\/a.png" data-size=640x208 /)
    const group = commentHtml(
      comment(2, { picture: image('a.png'), pictures: [image('a.png'), image('b.png')] }),
      place,
    )
    expect(group).toContain('src="/dtpchan/uploads/p-b.png" width=210')
  })

  test('marks the opening post', () => {
    expect(openingHtml(thread, place)).toContain(
      '<p class=marks><span>Pinned</span> <span>Locked</span> <span>Cyclical</span></p>',
    )
  })
})

describe('a rendered thread', () => {
  test('has its posts only as HTML when it is sent', () => {
    const sent = JSON.parse(JSON.stringify(renderThread({ board: {} as never, thread, lastEventId: '5' })))
    expect(sent).toMatchObject({ newestId: 3, images: 0, authors: ['ferrite', 'mira'], lastEventId: '5' })
    expect(sent).not.toHaveProperty('source')
    expect(JSON.stringify(sent).split('post 3')).toHaveLength(2)
  })
})

describe('the post of an event', () => {
  test('is a comment, a reply or an opening post', () => {
    expect(renderPost(event()).html).toMatch(/^<article class="post comment" id=p2/)
    expect(renderPost(event({ view: post(3), parentId: 2 })).html).toMatch(/^<article class="post reply" id=p3/)
    expect(renderPost(event({ view: post(1) })).html).toMatch(/^<header class=gutter>.*<h1>Title<\/h1>/)
  })

  test('is rendered once per language, without its text as a field', () => {
    const given: SiteEvent = { topic: 'thread:1', change: { kind: 'post', postId: 2 }, post: event() }
    const shown = showEvent(given, 'de')
    expect(shown).toBe(showEvent(given, 'de'))
    expect(shown).not.toBe(showEvent(given, 'en'))
    expect(JSON.stringify(shown).split('post 2')).toHaveLength(2)
    expect(JSON.stringify(shown)).toContain('Antworten')
    const other: SiteEvent = { topic: 'boards', change: { kind: 'boards' } }
    expect(showEvent(other, 'de')).toBe(other)
  })
})

describe('the HTML of lists of threads', () => {
  const flags = { locked: false, pinned: false, bumplocked: false, cyclical: false, spoiler: false }
  const listed: ListedThread = {
    ...{ id: 7, boardId: 'tech', title: 'Title', author: 'ferrite', createdAt: new Date(0), lastActivity: new Date(0) },
    ...{ commentCount: 2, ...flags, links: [], preview: 'text', picture: null, newest: null },
  }
  const tile: CatalogThread = { ...listed, replyCount: 1, imageCount: 4 }
  const latest = (author: string) => ({ author, preview: author, createdAt: new Date(0) })

  test('escapes everything that visitors write', () => {
    const texts = { title: HOSTILE, author: HOSTILE, preview: HOSTILE, links: [`https://a.de/${HOSTILE}`] }
    const html = cardHtml({ ...listed, ...texts, newest: latest(HOSTILE) }, HOSTILE)
    expect(html).not.toContain('<b>')
    // Name of the board, title, name and text of the thread and of its newest comment, and three times the link.
    expect(html.split(ESCAPED)).toHaveLength(10)
    expect(tileHtml({ ...tile, title: HOSTILE, preview: HOSTILE }, true).split(ESCAPED)).toHaveLength(3)
  })

  test('shows the newest comments, oldest first, and offers the form only in the list of a board', () => {
    const html = cardHtml({ ...listed, newest: latest('mira'), earlier: [latest('ann'), latest('bob')] })
    expect([...html.matchAll(/<p>(\w+)<\/p>/g)].map(([, text]) => text)).toEqual(['ann', 'bob', 'mira'])
    expect(html).toContain('href="/dtpchan/board/tech/post?thread=7"')
    expect(cardHtml(listed, 'Technology')).not.toContain('/post?')
  })

  test('covers images, and tells moderators what is set', () => {
    const covered = { ...listed, picture: file('p.webp'), furtherPictures: 2, spoiler: true, locked: true }
    const html = cardHtml(covered)
    expect(html).toContain('data-flags="locked spoiler"')
    expect(html).toContain('<input type=checkbox')
    expect(html).toContain('+2<span class=visually-hidden> more images</span>')
    expect(tileHtml({ ...tile, ...covered }, true)).not.toContain('<img')
  })

  test('hides threads that the filter of a catalog does not match, and counts the others', () => {
    const other = { ...tile, id: 8, title: 'Other' }
    const page = { board: {} as never, threads: [tile, other], nextCursor: null, lastEventId: '1' }
    const { html = '', count, matching } = renderCatalog(page, { sort: 'created', filter: 'title' })
    expect([count, matching]).toEqual([2, 1])
    expect([...html.matchAll(/ id=t(\d)[^>]*?( hidden)?>/g)].map(([, id, mark]) => `${id}${mark ?? ''}`)).toEqual([
      '8 hidden',
      '7',
    ])
  })

  test('names the board of each thread in the list of all boards', () => {
    const boards = [{ id: 'tech', name: 'Technology' }]
    const { html, boardIds } = renderOverboard({ boards, threads: [listed, { ...listed, id: 8 }], nextCursor: null })
    expect(boardIds).toEqual(['tech'])
    expect(html).toContain('<a href="/dtpchan/board/tech" translate=no>/tech/</a> Technology')
  })
})
