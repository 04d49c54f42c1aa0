import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { parseDocument, renderMarkdown } from '#server/features/site/content/markdown.ts'
import { listBlogPosts } from '#server/features/site/content/service.ts'
import { createSiteContent } from '#server/features/site/content/siteContent.ts'

const dir = mkdtempSync(join(tmpdir(), 'site-content-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

let time = new Date('2026-06-01T12:00:00Z')
const warnings: unknown[] = []
const read = createSiteContent({ dir, log: { warn: (fields: unknown) => void warnings.push(fields) }, now: () => time })
function write(path: string, text: string | Buffer) {
  mkdirSync(join(dir, path, '..'), { recursive: true })
  writeFileSync(join(dir, path), text)
}

beforeEach(() => {
  rmSync(dir, { recursive: true, force: true })
  warnings.length = 0
  time = new Date(time.getTime() + 10_000)
})

describe('the site folder', () => {
  test('may be missing', async () => {
    expect(await read()).toEqual({ pages: [], posts: [], problems: [] })
  })

  test('has pages with titles, and skips files that are no pages', async () => {
    write('pages/rules.md', '# House rules\n\nBe *kind*.')
    write('pages/imprint.md', '---\ntitle: Imprint\n---\n# Who\n')
    write('pages/plain.md', 'No heading')
    for (const name of ['Upper.md', 'a b.md', '.hidden.md', 'notes.txt', '..md']) write(`pages/${name}`, '# x')
    const { pages, problems } = await read()
    expect(problems.map(({ name }) => name)).toEqual(['pages/Upper.md', 'pages/a b.md', 'pages/notes.txt'])
    expect(pages.map(({ slug, title }) => [slug, title])).toEqual([
      ['imprint', 'Imprint'],
      ['plain', 'plain'],
      ['rules', 'House rules'],
    ])
    expect(pages[0]?.html).toBe('<h2>Who</h2>\n')
    expect(pages[2]?.html).toBe('<p>Be <em>kind</em>.</p>\n')
  })

  test('names entries that cannot be read, and still has the others', async () => {
    write('pages/rules.md', '# House rules')
    symlinkSync('loop.md', join(dir, 'pages/loop.md'))
    write('blog', 'not a folder')
    const { pages, problems } = await read()
    expect(pages.map(({ title }) => title)).toEqual(['House rules'])
    expect(problems).toEqual([
      { name: 'pages/loop.md', reason: expect.stringContaining('ELOOP') },
      { name: 'blog', reason: expect.stringContaining('ENOTDIR') },
    ])
  })

  test('does not show pages whose URL the site itself has', async () => {
    for (const name of ['about', 'radio', 'rules', 'search']) write(`pages/${name}.md`, '# Own page')
    const { pages, problems } = await read()
    expect(pages.map(({ slug }) => slug)).toEqual(['rules'])
    expect(problems.map(({ name }) => name)).toEqual(['pages/about.md', 'pages/radio.md', 'pages/search.md'])
  })

  test('shows one of the files with the same URL, and names the others', async () => {
    write('blog/2026-01-01-news.md', '---\ndraft: true\n---\n# Draft')
    write('blog/2026-01-02-news.md', '# January')
    write('blog/2026-02-02-news.md', '# February')
    const { posts, problems } = await read()
    expect(posts.map(({ title }) => title)).toEqual(['January'])
    expect(problems).toEqual([{ name: 'blog/2026-02-02-news.md', reason: 'blog/2026-01-02-news.md has the same URL' }])
  })

  test('follows changes within seconds', async () => {
    write('pages/rules.md', '# One')
    await read()
    write('pages/rules.md', '# Two')
    utimesSync(join(dir, 'pages/rules.md'), time, time)
    expect((await read()).pages[0]?.title).toBe('One')
    time = new Date(time.getTime() + 5000)
    expect((await read()).pages[0]?.title).toBe('Two')
  })

  test('has posts, newest first, without drafts and those of the future', async () => {
    write(
      'blog/2026-01-02-first.md',
      '# First\n\nA *short* text with a [link](https://a.example).\nSecond line.\n\nMore.',
    )
    write('blog/second.md', '---\ntitle: Second\ndate: 2026-03-04\ndescription: What it is about\n---\nText')
    write('blog/2026-05-05-draft.md', '---\ndraft: true\n---\n# Draft')
    write('blog/2030-01-01-future.md', '# Future')
    write('blog/no-date.md', '# Dateless')
    write('blog/2026-02-02-broken.md', '---\ntitle: [\n---\nText')
    write('blog/2026-02-03-draft-in-words.md', '---\ndraft: yes\n---\n# Draft')
    write('blog/2026-02-03-empty-draft.md', '---\ndraft:\n---\n# Draft')
    write('blog/2026-02-04-wrong-date.md', '---\ndate: 2027-13-01\n---\n# Later')
    write('blog/2026-02-05-latin.md', Buffer.from('# Gr\u00fc\u00dfe', 'latin1'))
    const posts = await listBlogPosts({ siteContent: read, now: () => time })
    expect(posts).toMatchObject([
      { slug: 'second', title: 'Second', description: 'What it is about', publishedAt: new Date('2026-03-04') },
      { slug: 'first', title: 'First', description: 'A short text with a link. Second line.' },
    ])
    const needsDate = 'the post needs a date such as 2026-11-20, in its name or as a field'
    const problems = [
      ['2026-02-02-broken.md', expect.any(String)],
      ['2026-02-03-draft-in-words.md', 'draft must be true or false'],
      ['2026-02-03-empty-draft.md', 'draft must be true or false'],
      ['2026-02-04-wrong-date.md', needsDate],
      ['2026-02-05-latin.md', 'the text is not in UTF-8'],
      ['no-date.md', needsDate],
    ]
    expect((await read()).problems).toEqual(problems.map(([file, reason]) => ({ name: `blog/${file}`, reason })))
    expect(warnings).toEqual(problems.map(([file, reason]) => ({ file, reason })))
  })
})

describe('Markdown', () => {
  test.each([
    ['<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n'],
    ['[x](javascript:alert(1))', '<p>[x](javascript:alert(1))</p>\n'],
    ['[x](https://a.example)', '<p><a href="https://a.example" rel="noopener">x</a></p>\n'],
    ['[x](/rules)', '<p><a href="/rules">x</a></p>\n'],
    ['![A cat](cat.png)', '<p><img src="/site/images/cat.png" alt="A cat" loading="lazy"></p>\n'],
    ['###### deep', '<h6>deep</h6>\n'],
  ])('renders %s', (text, html) => {
    expect(renderMarkdown(text)).toBe(html)
  })

  test('takes the title from the fields, or else from the first heading', () => {
    expect(parseDocument('\uFEFF---\r\ntitle: A\r\n---\r\n# B\r\n')).toMatchObject({ title: 'A', text: '# B\r\n' })
    expect(parseDocument('# B\ntext')).toEqual({ fields: {}, title: 'B', text: 'text', html: '<p>text</p>\n' })
    expect(parseDocument('text\n# B')).toMatchObject({ title: null })
    expect(parseDocument('---\ntitle: 1984\n---\n# B')).toMatchObject({ title: '1984', text: '# B' })
    expect(parseDocument('---\n---\n')).toMatchObject({ fields: {}, title: null, text: '' })
  })
})
