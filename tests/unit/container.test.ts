import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { validate } from 'dockerfile-utils'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { settingNames } from '#tests/helpers/settingNames.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8')
const lines = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

type Instruction = { name: string; rest: string }
const dockerfile = read('Dockerfile')
const instructions: Instruction[] = lines(dockerfile.replaceAll('\\\n', ' ')).map((line) => {
  const [, name = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? []
  return { name, rest: rest.replaceAll(/\s+/g, ' ') }
})
const finalStage = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'))
const all = (name: string, among = finalStage) => among.filter((one) => one.name === name).map(({ rest }) => rest)
const command = (text: string | undefined): string[] => JSON.parse(text ?? '')
const environment = all('ENV').flatMap((rest) => rest.split(' ').map((pair) => pair.split('=') as [string, string]))

const { scripts } = JSON.parse(read('package.json'))

describe('Dockerfile', () => {
  test('has valid syntax', () => {
    expect(validate(dockerfile).map(({ range, message }) => `${range.start.line + 1}: ${message}`)).toEqual([])
  })

  test('needs no newer Docker than 20.10', () => {
    expect(dockerfile.split('\n')[0]).toBe('# syntax=docker/dockerfile:1')
    expect(instructions.map(({ rest }) => rest).join('\n')).not.toMatch(/--(?:start-interval|mount|link|parents)\b|<</)
  })

  test('bases each stage on slim Debian with Node 24 or on another stage', () => {
    const names = all('FROM', instructions).map((rest) => rest.split(' AS ')[1])
    for (const from of all('FROM', instructions)) {
      const [image] = from.split(' ')
      expect(names.includes(image) || image === 'node:24-trixie-slim', from).toBe(true)
    }
    expect(all('FROM')).toEqual(['node:24-trixie-slim'])
  })

  test('runs as an unprivileged user that cannot change the program', () => {
    // a number: Kubernetes cannot tell whether a name is root
    expect(all('USER')).toEqual(['1000:1000'])
    for (const copy of all('COPY')) expect(copy).not.toContain('--chown=node')
    expect(all('RUN').join()).toContain('install -d -o node -g node -m 0700 /data')
    expect(all('VOLUME')).toEqual(['/data'])
    // after VOLUME, Docker discards changes that RUN makes to the volume's folder
    expect(finalStage.findIndex(({ name }) => name === 'VOLUME')).toBeGreaterThan(
      finalStage.findLastIndex(({ name }) => name === 'RUN'),
    )
  })

  test('runs the site below an init that forwards signals, without a shell', () => {
    expect(command(all('ENTRYPOINT')[0])).toEqual(['tini', '--'])
    expect(command(all('CMD')[0])).toEqual(['node', '--max-semi-space-size=8', 'dist/current/site/main.mjs'])
    expect(all('RUN')[0]).toContain(' tini ')
  })

  test('sets the same limits of memory as npm start', () => {
    expect(Object.fromEntries(environment)).toMatchObject({ MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' })
    expect(scripts.start).toMatch(
      /^exec env MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072 node --max-semi-space-size=8 /,
    )
  })

  test('sets only known settings and no secret', () => {
    const own = environment.filter(([name]) => !/^(?:NPM_CONFIG|MALLOC)_/.test(name) && name !== 'NODE_ENV')
    expect(Object.fromEntries(own)).toEqual({ HOST: '0.0.0.0', PORT: '3000', DATA_DIR: '/data' })
    for (const [name] of own) expect(settingNames).toContain(name)
    for (const given of [...all('ENV', instructions), ...all('ARG', instructions)]) {
      expect(given).not.toMatch(/SECRET|PASSWORD|TOKEN|_KEY/)
    }
  })

  test('copies the files that the site and its commands need, and finds them in the context', () => {
    const context = lines(read('.dockerignore'))
    expect(context.shift()).toBe('*')
    for (const name of context) {
      expect(name.startsWith('!') && existsSync(join(ROOT, name.slice(1))), name).toBe(true)
      expect(name).not.toMatch(/data|\.env|node_modules|dist/)
    }
    const copied = all('COPY', instructions)
      .filter((rest) => !rest.includes('--from='))
      .flatMap((rest) => rest.split(' ').filter((part) => !part.startsWith('--')))
    for (const name of copied.filter((part) => /\w/.test(part))) expect(context).toContain(`!${name.split('/')[0]}`)
    const brought = all('COPY').map((rest) => rest.split(' ').at(-1))
    expect(brought.sort()).toEqual(['./', 'dist', 'node_modules', 'server/'])
    for (const script of Object.values<string>(scripts)) {
      const program = /^exec node server\/run\.mjs (\w+)$/.exec(script)?.[1]
      if (program && program !== 'main') expect(readdirSync(join(ROOT, 'server/commands'))).toContain(`${program}.ts`)
    }
  })

  const health = /^(?<flags>.*) CMD (?<command>\[.*\])$/.exec(all('HEALTHCHECK')[0] ?? '')?.groups

  test.each([
    ['healthy', 'the site answers 200', 200, 0],
    ['unhealthy', 'the site answers 503', 503, 1],
    ['unhealthy', 'the port is closed', null, 1],
  ])('reports %s when %s', async (_health, _situation, status, exitCode) => {
    const asked: (string | undefined)[] = []
    const server = createServer((request, response) => {
      asked.push(request.url)
      response.writeHead(status ?? 500).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    if (status === null) await new Promise((resolve) => server.close(resolve))
    const [program, ...args] = command(health?.command)
    expect(program).toBe('node')
    const env = { ...process.env, PORT: String(port), NODE_OPTIONS: '' }
    const check = spawn(process.execPath, args, { env, stdio: 'ignore' })
    expect(await once(check, 'exit')).toEqual([exitCode, null])
    expect(asked).toEqual(status === null ? [] : ['/healthz'])
    server.close()
  })
})

// biome-ignore lint/suspicious/noExplicitAny: parsed YAML without a schema
const compose = (name: string): any => parse(read(name))
const seconds = (duration: string) => Number(/^(\d+)s$/.exec(duration)?.[1])

describe('compose files', () => {
  const { services, volumes } = compose('compose.yaml')
  const onPostgres = compose('compose.postgres.yaml')

  test.each([
    ['the site', services.site],
    ['the database', onPostgres.services.database],
  ])('restrict the privileges of %s', (_name, service) => {
    expect(service.mem_limit).toMatch(/^\$\{\w+_MEMORY:-\d+[mg]\}$/)
    expect(service.labels).toHaveProperty(['org.opencontainers.image.title'])
    expect(service.read_only).toBe(true)
    expect(service.cap_drop).toEqual(['ALL'])
    expect(service.security_opt).toEqual(['no-new-privileges:true'])
    expect(service.tmpfs[0]).toMatch(/^\/tmp/)
    expect(service.restart).toBe('unless-stopped')
    expect(seconds(service.stop_grace_period)).toBeGreaterThanOrEqual(10)
    expect(service.logging.options['max-size']).toBeTruthy()
    expect(service.privileged ?? service.cap_add ?? service.network_mode).toBe(undefined)
  })

  test('keep data in named volumes', () => {
    expect(services.site.volumes).toEqual(['data:/data'])
    // Compose 1.29 has no name of the project in the file, so each volume has one.
    expect(Object.keys(compose('compose.yaml'))).toEqual(['services', 'volumes'])
    expect(volumes.data).toEqual({ name: 'dtp_data' })
    // from version 18 on, PostgreSQL images refuse to start if the volume is mounted on the subfolder `data`
    expect(onPostgres.services.database.volumes).toEqual(['database:/var/lib/postgresql'])
    expect(onPostgres.volumes.database).toEqual({ name: 'dtp_database' })
  })

  test('publish the site on loopback only, and not the database', () => {
    expect(services.site.ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:.*:3000$/)])
    expect(onPostgres.services.database.ports).toBe(undefined)
    expect(onPostgres.services.database.networks).toEqual(['database'])
    expect(onPostgres.networks.database.internal).toBe(true)
  })

  test('pass on every setting that the image and compose.postgres.yaml do not set', () => {
    const given = ['HOST', 'PORT', 'DATA_DIR', 'DATABASE_URL']
    expect([...services.site.environment].sort()).toEqual(settingNames.filter((name) => !given.includes(name)).sort())
    for (const name of Object.keys(onPostgres.services.site.environment)) expect(settingNames).toContain(name)
  })

  test('wait for a healthy PostgreSQL with a fixed version and required secrets', () => {
    const { site, database } = onPostgres.services
    expect(site.depends_on.database.condition).toBe('service_healthy')
    expect(database.healthcheck.test.slice(0, 2)).toEqual(['CMD', 'pg_isready'])
    expect(database.image).toMatch(/^postgres:\d+-\w+$/)
    expect(database.user).toBe('postgres')
    expect(site.environment.SECRET_KEY).toMatch(/^\$\{SECRET_KEY:\?.+\}$/)
    expect(database.environment.POSTGRES_PASSWORD).toMatch(/^\$\{POSTGRES_PASSWORD:\?.+\}$/)
    const { POSTGRES_USER: user, POSTGRES_DB: name } = database.environment
    expect(site.environment.DATABASE_URL.replace(/\$\{.*?\}/, 'PASSWORD')).toBe(
      `postgres://${user}:PASSWORD@database:5432/${name}`,
    )
  })

  test('contain no secret in .env.example', () => {
    for (const line of read('.env.example').split('\n')) {
      const [, name, value] = /^#?([A-Z_]+)=(.*)$/.exec(line) ?? []
      if (!name) continue
      expect([...settingNames, 'POSTGRES_PASSWORD', 'COMPOSE_PROJECT_NAME']).toContain(name)
      if (/SECRET|PASSWORD|TOKEN|KEY/.test(name)) expect(value).toBe('')
    }
  })
})
