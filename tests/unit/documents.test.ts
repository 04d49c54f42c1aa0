import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readConfig, settingNames } from '#server/core/config/config.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8')
const readme = read('README.md')
const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'docs/ARCHITECTURE.md']
/** as large as a picture may be that everybody loads who looks at the repository */
const PICTURE_BYTES = 300_000

const section = (heading: string) => readme.split(`\n${heading}\n`)[1]?.split(/\n#{2,3} /)[0] ?? ''
/** The rows of a section's table, as cells, without the head. */
const rows = (heading: string) =>
  section(heading)
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim()),
    )

describe('the README', () => {
  test('begins with the two commands, each to be copied as it is', () => {
    const blocks = [...readme.matchAll(/^```sh\n(.*?)\n```$/gms)].map(([, text]) => text)
    expect(blocks.slice(0, 2)).toEqual(['npm ci && npm start', 'npm ci && npm test'])
  })

  test('has every setting in one of its two tables, once', () => {
    const told = [...rows('## Settings'), ...rows('### Budgets')].flatMap(([name = '']) =>
      [...name.matchAll(/`([A-Z_]+)`/g)].map(([, one]) => one),
    )
    expect(told.sort()).toEqual([...settingNames].sort())
  })

  test('names the default of each budget', () => {
    const defaults = rows('### Budgets').map(([name = '', value]) => [name.replaceAll('`', ''), value])
    for (const [name, value] of defaults) expect(readConfig({ [`${name}`]: value }), name).toEqual(readConfig({}))
  })
})

describe('the proxy examples', () => {
  const [nginx = ''] = [...section('### The proxy in front, with TLS').matchAll(/```nginx\n(.*?)```/gs)].map(
    ([, text]) => text,
  )
  const [, pattern = ''] = /^ +~(\S+) +\$opener\/-;$/m.exec(nginx) ?? []
  const logged = (path: string) => path.replace(new RegExp(`${pattern}.*`), '$<opener>/-')

  test('log no URL, referrer or error that opens something', () => {
    const [, format = ''] = /log_format (.*?);/s.exec(nginx) ?? []
    expect(format.match(/\$\w+/g)).not.toContain('$http_referer')
    for (const whole of ['$request ', '$request_uri', '$args', '$uri']) expect(format).not.toContain(whole)
    expect(nginx).toContain('error_log /dev/null;')
    const caddy = section('### The proxy in front, with TLS').split('\nWith nginx')[0]
    for (const field of ['request>uri', 'request>headers>Referer']) expect(caddy).toContain(`${field} delete`)
  })

  test.each([
    ...['/paste/secret', '/paste/secret/raw', '/paste/secret/delete', '/paste/secret/index.pageContext.json'],
    ...['/api/paste/secret', '/api/paste/secret/read', '/image-share/secret', '/api/image-share/secret/delete'],
    '/dtpchan/uploads/secret.png',
  ])('%s is logged without its secret', (path) => {
    expect(logged(path)).toBe(`${path.slice(0, path.indexOf('/secret'))}/-`)
  })

  test.each(['/', '/paste-service', '/dtpchan/board/tech', '/api/paste'])('%s is logged as it is', (path) => {
    expect(logged(path)).toBe(path)
  })
})

describe('the documents', () => {
  test.each(DOCUMENTS)('%s names only files and commands that are there', (name) => {
    const text = read(name)
    const { scripts } = JSON.parse(read('package.json'))
    for (const [, command = ''] of text.matchAll(/npm run ([a-z]+)/g)) expect(Object.keys(scripts)).toContain(command)
    for (const [, address = ''] of text.matchAll(/\]\((?!https?:)([^)#]*)(?:#[^)]*)?\)/g)) {
      expect(existsSync(join(ROOT, dirname(name), address)), address).toBe(true)
    }
    for (const [, anchor = ''] of text.matchAll(/\]\(#([^)]*)\)/g)) {
      const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading)
      expect(headings.map((heading) => heading.toLowerCase().replaceAll(' ', '-'))).toContain(anchor)
    }
    for (const [, path = ''] of text.matchAll(/`((?:src|server|db|docs|pages|tests)\/[\w./-]+)`/g)) {
      expect(existsSync(join(ROOT, path)), path).toBe(true)
    }
  })

  test('show a picture that is soon there', () => {
    const [, picture = ''] = /!\[[^\]]+\]\(([^)]+)\)/.exec(readme) ?? []
    expect(statSync(join(ROOT, picture)).size).toBeLessThan(PICTURE_BYTES)
  })

  test('name the version there is', () => {
    const { version } = JSON.parse(read('package.json'))
    expect(/^## \[(.+)\] - \d{4}-\d{2}-\d{2}$/m.exec(read('CHANGELOG.md'))?.[1]).toBe(version)
  })
})
