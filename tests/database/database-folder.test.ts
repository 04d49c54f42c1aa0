import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { isDeep } from '#tests/helpers/depth.ts'
import { NODE, runCommand } from '#tests/helpers/siteProcess.ts'

/** Root ignores file permissions, so the tests drop that capability. */
const isRoot = process.getuid?.() === 0
const asUser = isRoot ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : ['env']
const canBeRefused = spawnSync(asUser[0] ?? '', [...asUser.slice(1), 'true']).status === 0
/** Whether the test can mount a separate disk; only root can. */
const canMount = isRoot && spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0

const OPEN = 'The embedded database cannot be opened:'
let folder: string
let site: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dtp-test-'))
  site = join(folder, 'site')
  expect((await runCommand({ dataDir: site }, ['users', 'list'])).code).toBe(0)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const copy = async (name: string) => {
  await cp(site, join(folder, name), { recursive: true, filter: (path) => !path.endsWith('.sock') })
  return join(folder, name)
}

/** Runs a command that must respect file permissions, even as root. */
const runWithoutRights = (dataDir: string, program: string) =>
  new Promise<string>((resolve) => {
    const [command = '', ...args] = [...asUser, ...NODE, `dist/current/site/${program}.mjs`, 'list']
    const env = { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' }
    execFile(command, args, { env }, (error, stdout, stderr) => resolve(`${error?.code} ${stdout}${stderr}`))
  })

describe.runIf(inject('database') === 'pglite')('a database that cannot be opened', () => {
  test('reports a file where the folder should be', async () => {
    const dataDir = join(folder, 'file')
    execFileSync('mkdir', [dataDir])
    await writeFile(join(dataDir, 'db'), 'a file')
    expect(await runCommand({ dataDir }, ['main'])).toEqual({
      code: 1,
      output: `${OPEN} ${dataDir}/db is a file, but must be a folder. Move it away, then start it again\n`,
    })
  })

  test.runIf(isDeep && canBeRefused)('names the folder that cannot be written to, and the required owner', async () => {
    const dataDir = await copy('unwritable')
    await chmod(join(dataDir, 'db'), 0o500)
    const user = process.getuid?.()
    const said = `1 ${OPEN} ${dataDir}/db cannot be read and written: permission denied. Give all of ${dataDir} to user ${user}, as whom the site runs (chown -R ${user})\n`
    expect(await runWithoutRights(dataDir, 'main')).toBe(said)
    expect(await runWithoutRights(dataDir, 'users')).toBe(said)
    await chmod(join(dataDir, 'db'), 0o700)
  })

  test.runIf(isDeep)('reports possibly damaged files when it finds no other cause', async () => {
    const dataDir = await copy('damaged')
    await writeFile(join(dataDir, 'db', 'global', 'pg_control'), 'damaged')
    const { code, output } = await runCommand({ dataDir }, ['main'])
    expect(code).toBe(1)
    expect(output).toContain(`${OPEN} the files in ${dataDir}/db may be damaged`)
    expect(output).toContain('restore a backup')
  })

  test.runIf(canMount)('reports a full disk, for a new database and for one with data', async () => {
    const dataDir = await copy('existing')
    // Uses a separate mount namespace: the disk disappears when the command ends.
    const onSmallDisk = (script: string) =>
      spawnSync('unshare', ['--mount', 'sh', '-c', `mount -t tmpfs -o size=60m tmpfs /mnt && ${script}`], {
        encoding: 'utf8',
        env: { ...process.env, DATA_DIR: '/mnt', PORT: '0', LOG_LEVEL: 'warn' },
      })
    const full = `${OPEN} the disk of /mnt is full: 0 MiB are free and 64 MiB are needed. Make room there, then start it again\n`
    const fill = 'cat /dev/zero > /mnt/filler 2>/dev/null'
    const start = `exec ${NODE.join(' ')} dist/current/site/main.mjs`
    for (const script of [`${fill}; ${start}`, `cp -r ${dataDir}/. /mnt; ${fill}; ${start}`]) {
      expect(onSmallDisk(script)).toMatchObject({ status: 1, stderr: full })
    }
  })

  test.runIf(canMount).each(['/mnt', '/mnt/dtp/data'])('reports a read-only disk below %s', (dataDir) => {
    const command = `mount -t tmpfs -o ro tmpfs /mnt && exec ${NODE.join(' ')} dist/current/site/main.mjs`
    const env = { ...process.env, DATA_DIR: dataDir, PORT: '0' }
    const { status, stderr } = spawnSync('unshare', ['--mount', 'sh', '-c', command], { encoding: 'utf8', env })
    const refusal = `Setting DATA_DIR is wrong: ${dataDir} cannot be written to: read-only file system\n`
    expect([status, stderr]).toEqual([1, refusal])
  })
})
