import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Compiles the embedded database once, without optimising it: that would take longer than most tests use it. */
export const NODE = [process.execPath, '--liftoff-only'] as const
export const ADMIN = { email: 'admin@example.org', password: 'administrator' }

/** A site in a separate process, on a free port. */
export type SiteProcess = {
  origin: string
  output: () => string
  /** sends a signal, waits for the exit and returns the exit code */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

type SiteLocation = {
  dataDir: string
  databaseUrl?: string
  /** root of the checkout to run; this checkout by default */
  checkout?: string
}

export function commandEnvironment(
  { dataDir, databaseUrl }: SiteLocation,
  env: Record<string, string> = {},
): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    DATA_DIR: dataDir,
    PORT: '0',
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'warn',
    NEWS_FEEDS: '',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    SECRET_KEY: 'a secret that only tests know, long enough',
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    ...env,
  }
}

/**
 * Starts the built site and waits until it serves requests. `npm test` builds the site first.
 * @throws Error with the site's output if the process exits
 */
export async function spawnSite(
  place: SiteLocation,
  env: Record<string, string> = {},
  onSpawn: (child: ChildProcess) => void = () => {},
  [program, ...args]: [string, ...string[]] = [...NODE, 'dist/current/site/main.mjs'],
): Promise<SiteProcess> {
  const child = spawn(program, args, { cwd: place.checkout ?? ROOT, env: commandEnvironment(place, env) })
  onSpawn(child)
  const output = collect(child)
  // Not 'exit', after which there can still be output.
  const exited = once(child, 'close') as Promise<[number | null]>
  const origin = await Promise.race([
    exited.then(([code]) => {
      throw new Error(`The site exited with ${code}: ${output()}`)
    }),
    new Promise<string>((resolve) => {
      const find = () => {
        const address = /The site is at (http:\/\/\S+)/.exec(output())?.[1]
        if (address) resolve(address.replace('localhost', '127.0.0.1'))
      }
      // Earlier versions print it to standard output.
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', find)
    }),
  ])
  return {
    origin,
    output,
    stop: async (signal = 'SIGTERM') => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      return (await exited)[0]
    },
  }
}

/** Runs an operator command and waits until it exits. */
export async function runCommand(
  place: SiteLocation,
  command: string[],
  input: string | Buffer = '',
  env: Record<string, string> = {},
) {
  const [program, ...args] = command
  return runNode(place, [`dist/current/site/${program}.mjs`, ...args], input, env)
}

/**
 * Adds sample posts to a site.
 * @param options of the command; without `--pictures`, which take most of its time, it adds none
 */
export async function seed(place: SiteLocation, options: string, env: Record<string, string> = {}): Promise<void> {
  const { code, output } = await runCommand(place, ['seed', '--pictures', '0', ...options.split(' ')], '', env)
  if (code !== 0) throw new Error(output)
}

/** Runs a Node script of a checkout and waits until it exits. */
export async function runNode(
  place: SiteLocation,
  args: string[],
  input: string | Buffer = '',
  env: Record<string, string> = {},
) {
  const [program, ...flags] = NODE
  const child = spawn(program, [...flags, ...args], {
    cwd: place.checkout ?? ROOT,
    env: commandEnvironment(place, env),
  })
  const output = collect(child)
  child.stdin?.end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output: output() }
}

function collect(child: ChildProcess): () => string {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      text += chunk
    })
  }
  return () => text
}

// biome-ignore lint/suspicious/noExplicitAny: tests read responses as any client would
export const readJson = async (answer: Response) => (await answer.json()) as any
