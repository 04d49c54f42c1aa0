import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { validateWorkflow } from '@action-validator/core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { releaseNotes } from '#build/releaseNotes.ts'
import { freePort } from '#tests/helpers/freePort.ts'
import { settingNames } from '#tests/helpers/settingNames.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8')
const run = promisify(execFile)
type Job = { uses?: string; 'timeout-minutes': number; steps: { run?: string; uses?: string }[] }
const { version } = JSON.parse(read('package.json'))

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dtp-test-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('systemd unit', () => {
  const unit = read('deploy/dtp.service')
  const values = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value)
  const hasSystemd = existsSync('/usr/bin/systemd-analyze')
  const analyze = (...args: string[]) => run('systemd-analyze', args).catch((error) => error)

  test('runs the built site with Node, restarts it, and stops it with SIGTERM', () => {
    expect(values('ExecStart')).toEqual(['/usr/bin/node --max-semi-space-size=8 dist/current/site/main.mjs'])
    expect([values('Restart'), values('KillSignal'), values('KillMode')]).toEqual([['always'], [], ['mixed']])
    expect(Number(values('TimeoutStopSec')[0])).toBeGreaterThanOrEqual(10)
    const environment = values('Environment').map((pair) => pair?.split('=') ?? [])
    expect(Object.fromEntries(environment)).toEqual({
      NODE_ENV: 'production',
      MALLOC_ARENA_MAX: '2',
      MALLOC_MMAP_THRESHOLD_: '131072',
      DATA_DIR: `/var/lib/${values('StateDirectory')[0]}`,
    })
  })

  test.skipIf(!hasSystemd)('is valid, and exposes little of the machine', async () => {
    const path = join(folder, 'dtp.service')
    await writeFile(path, unit.replace('/usr/bin/node', process.execPath).replace('/opt/dtp', folder))
    const { code = 0, stdout, stderr } = await analyze('verify', path)
    expect([code, stdout, stderr]).toEqual([0, '', ''])
    // The scale ends at 10, where a unit without any restriction is.
    const rated = await analyze('security', '--offline=true', '--threshold=15', '--no-pager', path)
    expect(rated.code ?? 0, rated.stdout).toBe(0)
  })
})

test.skipIf(!inject('caddy'))('Caddyfile is valid, and leaves compression to the site', async () => {
  const caddy = inject('caddy') ?? ''
  const path = join(ROOT, 'deploy/Caddyfile')
  const env = { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const checked = await run(caddy, ['validate', '--adapter', 'caddyfile', '--config', path], { env })
  expect(checked.stdout + checked.stderr).toContain('Valid configuration')
  const { stdout } = await run(caddy, ['adapt', '--adapter', 'caddyfile', '--config', path], { env })
  const { logging, apps } = JSON.parse(stdout)
  const removed = { filter: 'delete' }
  expect(logging.logs.default.encoder.fields).toEqual({
    'request>uri': removed,
    'request>headers>Referer': removed,
  })
  const upstreams = [{ dial: '127.0.0.1:3000' }]
  const proxy = { handler: 'reverse_proxy', flush_interval: -1, upstreams }
  const [route] = apps.http.servers.srv0.routes
  expect(route.handle[0].routes).toEqual([{ handle: [proxy] }])
})

test.skipIf(!inject('caddy'))('Caddy serves the old files that the site has not taken over', async () => {
  const site = createServer(({ url }, response) =>
    response.writeHead(url === '/b/src/1.png' ? 301 : 404, { location: '/dtpchan/uploads/1.png' }).end('of the site'),
  ).listen(0, '127.0.0.1')
  await once(site, 'listening')
  const old = join(folder, 'old')
  await mkdir(join(old, 'b/src'), { recursive: true })
  await mkdir(join(old, 'b/thumb'))
  for (const [name, text] of Object.entries({
    'src/1.png': 'old',
    'src/2.webm': 'video',
    'thumb/2.jpg': 'small',
    'a.php': 'x',
  }))
    await writeFile(join(old, 'b', name), text)
  const [caddyPort, sitePort] = [await freePort(), (site.address() as AddressInfo).port]
  const adapt = (text: string) =>
    text.replaceAll('127.0.0.1:3000', `127.0.0.1:${sitePort}`).replace('/var/www/vichan', old)
  await writeFile(join(folder, 'Caddyfile.old-files'), adapt(read('deploy/Caddyfile.old-files')))
  const main = adapt(read('deploy/Caddyfile'))
    .replace(/^\{\n/, '{\n\tadmin off\n\tpersist_config off\n')
    .replace('example.org {', `http://127.0.0.1:${caddyPort} {\n\timport Caddyfile.old-files`)
  await writeFile(join(folder, 'Caddyfile'), main)
  const env = { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const child = spawn(inject('caddy') ?? '', ['run', '--adapter', 'caddyfile', '--config', 'Caddyfile'], {
    cwd: folder,
    env,
    stdio: 'ignore',
  })
  try {
    const ask = (path: string) => fetch(`http://127.0.0.1:${caddyPort}${path}`, { redirect: 'manual' })
    await expect.poll(() => ask('/').catch(() => null)).not.toBeNull()
    expect((await ask('/b/src/1.png')).headers.get('location')).toBe('/dtpchan/uploads/1.png')
    for (const [path, text] of [
      ['/b/src/2.webm', 'video'],
      ['/b/thumb/2.jpg', 'small'],
    ] as const) {
      const answer = await ask(path)
      expect([path, answer.status, await answer.text()]).toEqual([path, 200, text])
      expect(answer.headers.get('content-security-policy')).toContain('sandbox')
    }
    for (const path of ['/b/src/3.png', '/b/a.php', '/b/src/..%2fa.php'])
      expect([path, (await ask(path)).status]).toEqual([path, 404])
    expect(await (await ask('/b/a.php')).text()).toBe('of the site')
  } finally {
    child.kill()
    await once(child, 'exit')
    site.close()
  }
})

describe.each(['kubernetes.yaml', 'kubernetes.postgres.yaml'])('%s', (name) => {
  const documents = parseAllDocuments(read(`deploy/${name}`))
  // biome-ignore lint/suspicious/noExplicitAny: parsed YAML without a schema
  const objects: any[] = documents.map((document) => document.toJS())
  const find = (kind: string) => objects.find((object) => object.kind === kind)
  const { spec } = find('Deployment')
  const pod = spec.template.spec
  const [site] = pod.containers
  const onPostgres = name.includes('postgres')

  test('has one replica on the embedded database, and several on a PostgreSQL', () => {
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([])
    expect(objects.map(({ kind }) => kind)).toEqual([
      ...['ConfigMap', 'PersistentVolumeClaim', 'Deployment', 'Service'],
      ...(onPostgres ? ['PodDisruptionBudget'] : []),
    ])
    expect(spec.replicas).toBe(onPostgres ? 2 : 1)
    expect(spec.strategy).toEqual(
      onPostgres ? { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } : { type: 'Recreate' },
    )
    expect(find('PersistentVolumeClaim').spec.accessModes).toEqual([onPostgres ? 'ReadWriteMany' : 'ReadWriteOnce'])
    expect(site.image).toBe(`dtp-site:${version}`)
  })

  test('names objects consistently, and only known settings', () => {
    const labels = { 'app.kubernetes.io/name': 'dtp' }
    for (const object of objects) expect(object.metadata.labels).toEqual(labels)
    expect([spec.selector.matchLabels, spec.template.metadata.labels, find('Service').spec.selector]).toEqual([
      labels,
      labels,
      labels,
    ])
    expect(find('Service').spec.ports).toEqual([{ name: 'http', port: 80, targetPort: 'http' }])
    expect(site.ports).toEqual([{ name: 'http', containerPort: 3000 }])
    expect(site.envFrom[0].configMapRef.name).toBe(find('ConfigMap').metadata.name)
    expect(pod.volumes[0].persistentVolumeClaim.claimName).toBe(find('PersistentVolumeClaim').metadata.name)
    expect(site.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)).toEqual(['/data', '/tmp'])
    for (const [setting, value] of Object.entries(find('ConfigMap').data)) {
      expect(settingNames).toContain(setting)
      expect(typeof value).toBe('string')
    }
  })

  test('probes the routes of the site', () => {
    const probe = (path: string) => expect.objectContaining({ httpGet: { path, port: 'http' }, timeoutSeconds: 5 })
    expect([site.startupProbe, site.livenessProbe, site.readinessProbe]).toEqual([
      probe('/healthz'),
      probe('/healthz'),
      probe('/readyz'),
    ])
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(12)
  })

  test('runs without privileges and on a read-only file system', () => {
    expect(pod.securityContext).toEqual({
      runAsNonRoot: true,
      runAsUser: 1000,
      runAsGroup: 1000,
      fsGroup: 1000,
      fsGroupChangePolicy: 'OnRootMismatch',
      seccompProfile: { type: 'RuntimeDefault' },
    })
    expect(site.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect([pod.automountServiceAccountToken, pod.enableServiceLinks]).toEqual([false, false])
    expect(site.resources).toMatchObject({ requests: { memory: '512Mi' }, limits: { memory: '1536Mi' } })
  })
})

describe('workflows', () => {
  const folder = '.github/workflows'
  const names = readdirSync(join(ROOT, folder))
  // biome-ignore lint/suspicious/noExplicitAny: parsed YAML without a schema
  const workflow = (name: string): any => parse(read(`${folder}/${name}.yml`))

  test.each(names)('%s is valid, pins its actions, and asks for few rights', (name) => {
    const text = read(`${folder}/${name}`)
    expect(validateWorkflow(text)).toMatchObject({ errors: [] })
    const { permissions, jobs } = parse(text)
    expect(permissions).toEqual({ contents: 'read' })
    for (const job of Object.values<Job>(jobs)) {
      if (job.uses) continue
      expect(job['timeout-minutes']).toBeGreaterThan(0)
      for (const { run: script, uses } of job.steps) {
        // Expressions in scripts would be code: the name of a tag could be one.
        expect(script ?? '').not.toContain('$' + '{{')
        if (script) execFileSync('bash', ['-n'], { input: script })
        if (uses) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/)
      }
    }
    for (const line of text.split('\n').filter((one) => /uses: \w+[\w-]*\//.test(one)))
      expect(line).toMatch(/ # v\d+\.\d+\.\d+$/)
  })

  test('run the command of the README on both supported versions of Node', () => {
    const { test: job } = workflow('test').jobs
    expect(job.strategy.matrix.node).toEqual([22, 24])
    const { run: script } = job.steps.at(-1)
    expect(read('README.md').split('\n')).toContain(script)
    expect(JSON.parse(read('package.json')).engines.node).toBe('>=22')
    expect(workflow('test').on).toHaveProperty('push')
  })

  test('run the slow tests every night and before a release', () => {
    const { on, jobs } = workflow('deep')
    expect(Object.keys(on)).toEqual(['schedule', 'workflow_dispatch', 'workflow_call'])
    expect(jobs.test.steps.at(-1).run).toBe('npm ci && npm run test:deep')
    expect(workflow('release').jobs.deep.uses).toBe('./.github/workflows/deep.yml')
    expect(JSON.parse(read('package.json')).scripts['test:deep']).toContain('TEST_DEPTH=deep vitest run')
  })

  test('release an image for both architectures after the tests, to the registry of the repository', () => {
    const { on, jobs } = workflow('release')
    expect(on).toEqual({ push: { tags: ['v*'] } })
    expect([jobs.image.needs, jobs.release.needs]).toEqual([
      ['test', 'deep', 'notes'],
      ['notes', 'image'],
    ])
    const push = jobs.image.steps.at(-1).with
    expect([push.platforms, push.push]).toEqual(['linux/amd64,linux/arm64', true])
    expect(push['build-args']).toMatch(/^VERSION=.*\nREVISION=/)
    expect(read(`${folder}/release.yml`)).not.toMatch(/\w\.(?:io|com|org)\b/)
  })
})

describe('release notes', () => {
  const changelog =
    '# Changelog\n\n## [1.3.0] - 2026-12-01\n\n### Upgrading\n\nSet X.\n\n### Added\n\n- A.\n\n## [1.2.0] - 2026-11-01\n\n- B.\n'

  test('are the section of the version', () => {
    expect(releaseNotes('v1.3.0', '1.3.0', changelog)).toBe('### Upgrading\n\nSet X.\n\n### Added\n\n- A.\n')
  })

  test.each([
    ['v1.3.1', '1.3.0', /^The tag v1\.3\.1 is not v1\.3\.0/],
    ['1.3.0', '1.3.0', /^The tag 1\.3\.0 is not/],
    ['v1.4.0', '1.4.0', /has no section \[1\.4\.0\]/],
    ['v1.2.0', '1.2.0', /has no part "Upgrading" for 1\.2\.0/],
    ['v1.2', '1.2', /no semantic version/],
    ['v1.3.0; rm', '1.3.0; rm', /no semantic version/],
  ])('refuse %s for the version %s', (tag, current, reason) => {
    expect(() => releaseNotes(tag, current, changelog)).toThrow(reason)
  })

  test('explain the upgrade to each version', () => {
    for (const section of read('CHANGELOG.md').split(/^## /m).slice(1))
      expect(section, section.slice(0, 30)).toMatch(/^\[[^\]]+\].*\n\n### Upgrading\n\n\S/)
  })
})
