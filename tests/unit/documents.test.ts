import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readConfig } from '#server/core/config/config.ts'
import { settingNames } from '#tests/helpers/settingNames.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8')
const readme = read('README.md')
const documents = ['.', 'docs', 'docs/decisions'].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
)
/** maximum size of the README screenshot, which every visitor of the repository page downloads */
const MAX_IMAGE_BYTES = 300_000

const section = (document: string, heading: string) =>
  `\n${read(document)}`.split(`\n${heading}\n`)[1]?.split(/\n#{2,3} /)[0] ?? ''
const slugs = (text: string) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading.toLowerCase().replaceAll(' ', '-'))
/** Returns the cells of a section's table by row, without its header row. */
const tableRows = (document: string, heading: string) =>
  section(document, heading)
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim()),
    )

describe('README', () => {
  test('starts with the two commands, ready to copy', () => {
    const blocks = [...readme.matchAll(/^```sh\n(.*?)\n```$/gms)].map(([, text]) => text)
    expect(blocks.slice(0, 2)).toEqual(['npm ci && npm start', 'npm ci && npm test'])
  })
})

describe('settings page', () => {
  const settings = tableRows('docs/settings.md', '# Settings')
  const budgets = tableRows('docs/settings.md', '## Budgets')

  test('lists every setting once', () => {
    const listed = [...settings, ...budgets].flatMap(([names = '']) =>
      [...names.matchAll(/`([A-Z\d_]+)`/g)].map(([, name]) => name),
    )
    expect(listed.sort()).toEqual([...settingNames].sort())
  })

  test('gives the default of each budget', () => {
    const defaults = budgets.map(([name = '', value]) => [name.replaceAll('`', ''), value])
    for (const [name, value] of defaults) expect(readConfig({ [`${name}`]: value }), name).toEqual(readConfig({}))
  })
})

describe('proxy examples', () => {
  const nginx = read('deploy/nginx.conf')
  const [, pattern = ''] = /^ +~(\S+) +\$opener\/-;$/m.exec(nginx) ?? []
  const loggedPath = (path: string) => path.replace(new RegExp(`${pattern}.*`), '$<opener>/-')

  test('log no capability URL: neither path, referrer nor error', () => {
    const [, format = ''] = /log_format (.*?);/s.exec(nginx) ?? []
    expect(format.match(/\$\w+/g)).not.toContain('$http_referer')
    for (const variable of ['$request ', '$request_uri', '$args', '$uri']) expect(format).not.toContain(variable)
    expect(nginx).toContain('error_log /dev/null;')
    const caddy = read('deploy/Caddyfile')
    for (const field of ['request>uri', 'request>headers>Referer']) expect(caddy).toContain(`${field} delete`)
  })

  test.each([
    ...['/paste/secret', '/paste/secret/raw', '/paste/secret/delete', '/paste/secret/index.pageContext.json'],
    ...['/api/paste/secret', '/api/paste/secret/read', '/image-share/secret', '/api/image-share/secret/delete'],
    '/dtpchan/uploads/secret.png',
  ])('log %s without its secret', (path) => {
    expect(loggedPath(path)).toBe(`${path.slice(0, path.indexOf('/secret'))}/-`)
  })

  test.each(['/', '/paste-service', '/dtpchan/board/tech', '/api/paste'])('log %s unchanged', (path) => {
    expect(loggedPath(path)).toBe(path)
  })
})

describe('documents', () => {
  test.each(documents)('%s refers only to files, headings and commands that exist', (name) => {
    const text = read(name)
    const { scripts } = JSON.parse(read('package.json'))
    for (const [, command = ''] of text.matchAll(/npm run ([a-z]+)/g)) expect(Object.keys(scripts)).toContain(command)
    for (const [, path = '', anchor] of text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)) {
      const target = path ? join(dirname(name), path) : name
      expect(existsSync(join(ROOT, target)), target).toBe(true)
      if (anchor) expect(slugs(read(target))).toContain(anchor)
    }
    for (const [, path = ''] of text.matchAll(/`((?:src|server|db|docs|pages|tests|build|public)\/[\w./-]+)`/g)) {
      expect(existsSync(join(ROOT, path)), path).toBe(true)
    }
  })

  test('include a small screenshot', () => {
    const [, image = ''] = /!\[[^\]]+\]\(([^)]+)\)/.exec(readme) ?? []
    expect(statSync(join(ROOT, image)).size).toBeLessThan(MAX_IMAGE_BYTES)
  })

  test('name the current version as the last release', () => {
    const { version } = JSON.parse(read('package.json'))
    expect(/^## \[(.+)\] - \d{4}-\d{2}-\d{2}$/m.exec(read('CHANGELOG.md'))?.[1]).toBe(version)
  })
})
